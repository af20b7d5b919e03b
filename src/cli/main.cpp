// polymax: one program, a subcommand per job.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/command.hpp"
#include "core/error.hpp"

namespace {

constexpr int kFailed = 1, kBadUsage = 2;

int fail(const char* message, int code) {
  std::fprintf(stderr, "polymax: %s\n", message);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"polymax: search, learning and play for perfect-information games with any number of players"};
  app.require_subcommand(1);
  app.footer("Example: polymax play quadrothello --players 'human;greedy;greedy;greedy'");
  polymax::cli::add_list(app);
  polymax::cli::add_perft(app);
  polymax::cli::add_play(app);
  polymax::cli::add_bench(app);
  polymax::cli::add_about(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return fail((std::string(error.what()) + " (polymax --help shows the commands)").c_str(), kBadUsage);
  } catch (const polymax::Error& error) {
    return fail(error.what(), error.kind() == polymax::Error::Kind::usage ? kBadUsage : kFailed);
  } catch (const std::exception& error) {
    return fail(error.what(), kFailed);
  }
}
