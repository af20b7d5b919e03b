// polymax: one program, a subcommand per job.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "cli/command.hpp"
#include "core/error.hpp"

namespace {

constexpr int kFailed = 1, kBadUsage = 2;

int fail(const char* message, int code) {
  std::fprintf(stderr, "polymax: %s\n", message);
  return code;
}

// CLI11 only says that a subcommand is missing; name the word that is none, and those there are.
void check_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::string known;
  for (const auto* command : app.get_subcommands({})) {
    if (command->get_name() == argv[1]) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw polymax::Error("no command '" + std::string(argv[1]) + "'; there are " + known);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "polymax: search, learning and play for perfect-information games with any number of "
      "players"};
  app.require_subcommand(1);
  app.footer("Example: polymax play quadrothello --players 'human;greedy;greedy;greedy'");
  polymax::cli::add_list(app);
  polymax::cli::add_perft(app);
  polymax::cli::add_play(app);
  polymax::cli::add_serve(app);
  polymax::cli::add_match(app);
  polymax::cli::add_study(app);
  polymax::cli::add_record(app);
  polymax::cli::add_net(app);
  polymax::cli::add_think(app);
  polymax::cli::add_train(app);
  polymax::cli::add_selfplay(app);
  polymax::cli::add_bench(app);
  polymax::cli::add_about(app);
  try {
    check_command(app, argc, argv);
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::RuntimeError& ended) {  // the command has said why
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return fail((std::string(error.what()) + " (polymax --help shows the commands)").c_str(),
                kBadUsage);
  } catch (const polymax::Error& error) {
    return fail(error.what(), error.kind() == polymax::Error::Kind::usage ? kBadUsage : kFailed);
  } catch (const std::exception& error) {  // those of torch have a backtrace below their first line
    const std::string what = error.what();
    return fail(what.substr(0, what.find('\n')).c_str(), kFailed);
  }
}
