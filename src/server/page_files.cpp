#include "server/page_files.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace polymax::server {

const PageFile* page_file(std::string_view name) {
  const auto& files = page_files();
  const auto found = std::ranges::find(files, name, &PageFile::name);
  return found == files.end() ? nullptr : &*found;
}

std::string media_type(std::string_view name) {
  using Type = std::pair<std::string_view, const char*>;
  static constexpr std::array<Type, 7> kTypes{{{".html", "text/html; charset=utf-8"},
                                               {".css", "text/css; charset=utf-8"},
                                               {".js", "text/javascript; charset=utf-8"},
                                               {".svg", "image/svg+xml"},
                                               {".md", "text/markdown; charset=utf-8"},
                                               {".json", "application/json"},
                                               {".png", "image/png"}}};
  for (const auto& [ending, type] : kTypes)
    if (name.ends_with(ending)) return type;
  return "application/octet-stream";
}

}  // namespace polymax::server
