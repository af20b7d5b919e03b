// A command whose file still declares its options with CLI11: add(app) makes one subcommand of app.
// Goes when the last one has moved to cli/command.hpp.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace CLI {
class App;
}

namespace polymax::cli {

Command with_cli11(std::string name, std::string about, void (*add)(CLI::App& app));

}  // namespace polymax::cli
