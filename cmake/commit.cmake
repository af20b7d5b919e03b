# cmake -DSOURCE=FOLDER -DOUT=FILE -P commit.cmake: writes core/commit.hpp's function with the commit of FOLDER, when it
# has changed. The clone may belong to somebody else: who builds it trusts it.
find_program(GIT git)
set(commit unknown)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND ${GIT} -c safe.directory=* -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE told OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND told)
    set(commit ${told})
  endif()
endif()
set(text "#include \"core/commit.hpp\"\n\nstd::string polymax::commit() {\n  return \"${commit}\";\n}\n")
set(known "")
if(EXISTS ${OUT})
  file(READ ${OUT} known)
endif()
if(NOT text STREQUAL known)
  file(WRITE ${OUT} "${text}")
endif()
