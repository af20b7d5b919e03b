// polymax serve: the page, in a browser.
#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <thread>

#include "cli/command.hpp"
#include "cli/signals.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#ifdef POLYMAX_SERVER
#include "server/http.hpp"
#include "server/sessions.hpp"
#endif

namespace polymax::cli {

namespace {

struct Options {
  std::string host, web, root = ".";
  int port = 8080, threads = 0, sessions = 1000, memory = 1024;
};

#ifdef POLYMAX_SERVER

std::string folder_of(const std::string& name, const char* option) {
  std::error_code failed;
  const auto out = std::filesystem::canonical(name, failed);
  if (failed || !std::filesystem::is_directory(out))
    throw Error(fmt::format("{}: there is no folder '{}'", option, name));
  return out.string();
}

void run(const Options& options) {
  const StopOnSignal signals;
  server::ServerSettings settings;
  settings.port = options.port;
  if (!options.host.empty()) {
    settings.host = options.host;
    settings.token = server::random_id();
  }
  if (!options.web.empty()) settings.web = folder_of(options.web, "--web");
  settings.house.root = folder_of(options.root, "--root");
  auto& limits = settings.house.limits;
  limits.threads = options.threads > 0 ? options.threads : cores();
  limits.sessions = static_cast<std::size_t>(options.sessions);
  limits.engines_bytes = static_cast<std::size_t>(options.memory) << 20;
  server::Server server(settings);
  const std::string shown = options.host.empty() ? "127.0.0.1" : options.host;
  fmt::print("http://{}:{}/{}\n", shown, server.port(),
             settings.token.empty() ? "" : "?token=" + settings.token);
  std::fflush(stdout);
  fmt::print(stderr, "polymax: open this address in a browser; Ctrl-C ends the server\n");
  const std::stop_callback on_signal(signals.token(), [&] { server.stop(); });
  server.run();
}

#else

void run(const Options&) {
  throw Error(
      "this program was built without cpp-httplib; on Debian: apt-get install "
      "libcpp-httplib-dev, then build again",
      Error::Kind::failed);
}

#endif

}  // namespace

void add_serve(CLI::App& app) {
  auto* command = app.add_subcommand("serve", "play and analyse in a browser");
  auto options = std::make_shared<Options>();
  command->add_option("--port", options->port, "of the address; 0: any that is free")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  command->add_option("--host", options->host,
                      "listen on this address for other machines too, with an access token; "
                      "default: this machine alone");
  command->add_option("--root", options->root, "folder whose studies, runs and networks are shown")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "searches at once; default: one for each core")
      ->check(CLI::Range(1, 4096));
  command->add_option("--sessions", options->sessions, "matches open at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command
      ->add_option("--memory", options->memory, "MiB that engines keep between moves, all together")
      ->capture_default_str()
      ->check(CLI::Range(16, 1'000'000));
  command->add_option("--web", options->web,
                      "serve the page's files from this folder (to work on them)");
  command->footer("Example: polymax serve --port 8080");
  command->callback([options] { run(*options); });
}

}  // namespace polymax::cli
