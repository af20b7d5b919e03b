#include "cli/with_cli11.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace polymax::cli {

Command with_cli11(std::string name, std::string about, void (*add)(CLI::App& app)) {
  Command out;
  out.name = std::move(name);
  out.about = std::move(about);
  out.words = [name = out.name, add](std::vector<std::string> words) {
    CLI::App app;
    app.name("polymax");
    app.require_subcommand(1);
    add(app);
    words.insert(words.begin(), name);
    std::ranges::reverse(words);
    try {
      app.parse(std::move(words));
      return 0;
    } catch (const CLI::Success& asked) {
      return app.exit(asked);
    } catch (const CLI::RuntimeError& ended) {
      return ended.get_exit_code();
    } catch (const CLI::ParseError& error) {
      throw Error(error.what());
    }
  };
  return out;
}

}  // namespace polymax::cli
