// Whole files, read and written safely. Throws Error (failed) with the path and the system's reason.
#pragma once

#include <string>

namespace polymax {

std::string read_file(const std::string& path);

// Writes to a new name beside it, syncs and renames, so that an existing file is never lost half way.
void write_file(const std::string& path, const std::string& text);

}  // namespace polymax
