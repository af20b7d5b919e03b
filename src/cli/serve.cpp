// polymax serve: the page, in a browser.
#include <fmt/core.h>
#include <malloc.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "cli/commands.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "core/cores.hpp"
#include "core/error.hpp"
#ifdef POLYMAX_SERVER
#include "server/http.hpp"
#include "server/sessions.hpp"
#endif

namespace polymax::cli::serve {

namespace {

struct Options {
  std::string host, web, root = ".";
  int port = 8080, threads = 0, sessions = 1000, memory = 1024;

  static Arguments fields() {
    return {
        field("port", &Options::port, "of the address; 0: any that is free", 0, 65'535),
        field("host", &Options::host,
              "listen on this address for other machines too, with an access token; default: this "
              "machine alone"),
        existing_folder(
            field("root", &Options::root, "folder whose studies, runs and networks are shown")),
        field("threads", &Options::threads, "searches at once; default: one for each core", 1,
              4096),
        field("sessions", &Options::sessions, "matches open at once", 1, 100'000),
        field("memory", &Options::memory, "MiB that engines keep between moves, all together", 16,
              1'000'000),
        existing_folder(field("web", &Options::web,
                              "serve the page's files from this folder (to work on them)"))};
  }
};

#ifdef POLYMAX_SERVER

std::string folder_of(const std::string& name, const char* option) {
  std::error_code failed;
  const auto out = std::filesystem::canonical(name, failed);
  if (failed || !std::filesystem::is_directory(out))
    throw Error(fmt::format("{}: there is no folder '{}'", option, name));
  return out.string();
}

// Whether somebody could listen there, on some port.
bool is_own_address(const std::string& host) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  if (host.empty() || ::getaddrinfo(host.c_str(), "0", &hints, &found) != 0) return false;
  bool out = false;
  for (const addrinfo* one = found; one != nullptr && !out; one = one->ai_next) {
    const int file = ::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
    out = file >= 0 && ::bind(file, one->ai_addr, one->ai_addrlen) == 0;
    if (file >= 0) ::close(file);
  }
  ::freeaddrinfo(found);
  return out;
}

// What searches hold goes back to the system when they end: by itself the allocator keeps blocks of
// up to 32 MiB, hundreds of MiB in all after many matches.
void keep_little_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void run(const Options& options, const Given& given) {
  keep_little_memory();
  if (given.has("host") && !is_own_address(options.host))
    throw Error(fmt::format(
        "--host: '{}' is no address of this machine; 0.0.0.0 stands for all it has", options.host));
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
  StdoutLines out;
  out(fmt::format("http://{}/{}", server::place_of(settings.host, server.port()),
                  settings.token.empty() ? "" : "?token=" + settings.token));
  out.check();  // nobody else knows the port and the token
  tell(fmt::format("polymax: open this address in a browser; Ctrl-C ends the server\n"));
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

Command command() {
  return cli::command<Options>("serve", "play and analyse in a browser",
                               "Example: polymax serve --port 8080", run);
}

}  // namespace polymax::cli::serve
