// Whole files, read and written safely. Throws Error (failed) with the path and the system's
// reason.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace polymax {

// limit: a file with more bytes is refused before it fills the memory.
std::string read_file(const std::string& path,
                      std::size_t limit = std::numeric_limits<std::size_t>::max());

// Writes to a new name beside it (.part), syncs, renames and syncs the folder, so that an existing
// file is never lost half way and the new one is there when this returns.
void write_file(const std::string& path, const std::string& text);

}  // namespace polymax
