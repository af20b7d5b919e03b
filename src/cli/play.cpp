#include "cli/command.hpp"
namespace polymax::cli {
void add_play(CLI::App&) {}
}  // namespace polymax::cli
