// Where the file lies that holds this code: the program, or a library of it (the module of Python).
// What belongs to it is found from there.
#pragma once

#include <filesystem>

namespace polymax {

std::filesystem::path own_folder();

}  // namespace polymax
