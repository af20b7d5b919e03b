// Folders below the served one that hold a certain file: studies have study.json, runs of learning
// run.json.
#pragma once

#include <string>
#include <vector>

#include "server/api.hpp"

namespace polymax::server {

// Paths relative to the root, by name; some levels deep, without hidden folders and those of builds
// and tests.
std::vector<std::string> folders_with(const std::string& root, const std::string& file);

// The folder that a request names with ?folder=. Throws Refused 404 for one without that file.
std::string asked_folder(const Request& request, const House& house, const std::string& file);

}  // namespace polymax::server
