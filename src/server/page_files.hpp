// The files of the page, compiled into the program by cmake/embed.cmake: web/ as it is, and the
// rules of the games (docs/rules/) as rules/<game>.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polymax::server {

struct PageFile {
  std::string_view name, content;
};

const std::vector<PageFile>& page_files();

// Null when there is none of that name.
const PageFile* page_file(std::string_view name);

// text/html, text/css, ... by the ending of the name.
std::string media_type(std::string_view name);

}  // namespace polymax::server
