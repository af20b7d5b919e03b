#include "server/http.hpp"

#include <httplib.h>

#include <atomic>
#include <exception>
#include <thread>

#include "core/file.hpp"
#include "core/lists.hpp"
#include "core/thread.hpp"
#include "server/api.hpp"
#include "server/connections.hpp"
#include "server/error.hpp"
#include "server/guard.hpp"
#include "server/listener.hpp"
#include "server/page_files.hpp"

namespace polymax::server {

namespace {

constexpr std::size_t kConnectionsBesidesStreams = 256;
constexpr double kPing = 10;  // seconds: so often a silent stream is checked
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
    "'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// of a report: one page with everything in it, no script; the page around it may ask for its height
constexpr const char* kReportPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox "
    "allow-same-origin";

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> out;
  for (auto& part : split(path, '/'))
    if (!part.empty()) out.push_back(std::move(part));
  return out;
}

Caller caller_of(const httplib::Request& request) {
  return {request.method,
          request.path,
          request.get_header_value("Host"),
          request.get_header_value("Origin"),
          request.get_header_value("Sec-Fetch-Site"),
          request.get_header_value("Cookie"),
          request.get_header_value("Authorization"),
          request.get_header_value("Content-Type"),
          request.get_param_value("token")};
}

void refuse(httplib::Response& response, int status, const std::string& message) {
  response.status = status;
  response.set_content(text_of({{"error", message}}), "application/json");
}

const char* words_for(int status) {
  switch (status) {
    case 404:
      return "nothing is known under this path";
    case 413:
      return "the body is too large";
    case 414:
      return "the address is too long";
    case 416:
      return "ranges are not served";
    default:
      return status >= 500 ? "the server failed" : "the request is not understood";
  }
}

}  // namespace

struct Server::Inside {
  explicit Inside(ServerSettings given)
      : settings(std::move(given)),
        api(settings.house),
        guard{settings.token, settings.port},
        http(settings.house.limits) {
    http.new_task_queue = [this] {
      return new Connections(settings.house.limits.streams + kConnectionsBesidesStreams);
    };
    http.set_payload_max_length(settings.house.limits.body_bytes);
    http.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Opener-Policy", "same-origin"},
                              {"Cross-Origin-Resource-Policy", "same-origin"}});
    set_handlers();
    bind();
  }

  void bind() {
    if (settings.port != 0) {
      if (!http.bind_to_port(settings.host.c_str(), settings.port))
        throw Error("cannot listen on " + place_of(settings.host, settings.port) +
                        ": is another program using it? --port names another",
                    Error::Kind::failed);
      port = settings.port;
    } else {
      port = http.bind_to_any_port(settings.host.c_str());
      if (port < 0) throw Error("cannot listen on " + settings.host, Error::Kind::failed);
    }
    guard.port = port;
    http.widen();
  }

  void set_handlers() {
    using httplib::Request;
    using httplib::Response;
    using Handled = httplib::Server::HandlerResponse;
    http.set_pre_routing_handler([this](const Request& request, Response& response) {
      if (const auto complaint = guard.complaint(caller_of(request))) {
        refuse(response, complaint->status, complaint->message);
        return Handled::Handled;
      }
      return Handled::Unhandled;
    });
    http.set_exception_handler([](const Request&, Response& response, std::exception_ptr) {
      refuse(response, 500, words_for(500));
    });
    http.set_error_handler(httplib::Server::Handler([](const Request&, Response& response) {
      if (response.body.empty()) refuse(response, response.status, words_for(response.status));
    }));
    http.Get(".*", [this](const Request& request, Response& response) { get(request, response); });
    http.Post(".*", [this](const Request& request, Response& response) {
      if (!request.path.starts_with("/api/")) return refuse(response, 404, words_for(404));
      answer(request, response);
    });
  }

  void get(const httplib::Request& request, httplib::Response& response) {
    if (!request.path.starts_with("/api/"))  // as the guard sees it: "//api" is none
      return file(request.path == "/" ? "index.html" : request.path.substr(1), request, response);
    const auto parts = parts_of(request.path);
    if (parts.size() == 4 && parts[1] == "matches" && parts[3] == "events")
      return stream(parts[2], response);
    answer(request, response);
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    Request asked{request.method == "HEAD" ? "GET" : request.method,
                  parts_of(request.path),
                  {},
                  request.body};
    asked.path.erase(asked.path.begin());
    for (const auto& [key, value] : request.params) asked.query[key] = value;
    Reply reply = api.answer(asked);
    response.status = reply.status;
    response.set_header("Cache-Control", "no-store");
    if (!reply.file_name.empty())
      response.set_header("Content-Disposition",
                          "attachment; filename=\"" + reply.file_name + "\"");
    if (reply.type.starts_with("text/html"))
      response.set_header("Content-Security-Policy", kReportPolicy);
    response.set_content(std::move(reply.body), reply.type);
  }

  // A file of the page by its name in the list of files, never by a path of the disk; with --web
  // the names come from that folder's files.
  void file(const std::string& name, const httplib::Request& request, httplib::Response& response) {
    std::string content;
    try {
      if (settings.web.empty()) {
        const PageFile* found = page_file(name);
        if (found == nullptr) return refuse(response, 404, words_for(404));
        content = found->content;
      } else {
        content = read_file(path_below(settings.web, name), std::size_t{8} << 20);
      }
    } catch (const Error&) {
      return refuse(response, 404, words_for(404));
    }
    response.set_header("Content-Security-Policy", kPolicy);
    response.set_header("Cache-Control", "no-cache");
    if (!settings.token.empty() && request.has_param("token"))
      response.set_header("Set-Cookie",
                          "polymax=" + settings.token + "; Path=/; HttpOnly; SameSite=Strict");
    response.set_content(std::move(content), media_type(name));
  }

  // Server-sent events of one match. Its thread waits for news and writes them; a client that does
  // not read is cut off by the write timeout.
  void stream(const std::string& id, httplib::Response& response) {
    if (streams.fetch_add(1) >= settings.house.limits.streams) {
      --streams;
      return refuse(response, 503, "too many pages are open");
    }
    std::shared_ptr<Session> session;
    try {
      session = api.sessions().find(id);
    } catch (const Refused& refused) {
      --streams;
      return refuse(response, refused.status(), refused.what());
    }
    session->open_stream();
    api.sessions().wake(session);
    response.set_header("Cache-Control", "no-store");
    auto seen = std::make_shared<std::uint64_t>(0);
    auto silent = std::make_shared<double>(0);
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, session, seen, silent](std::size_t, httplib::DataSink& sink) {
          return send_events(*session, *seen, *silent, sink);
        },
        [this, session](bool) {
          session->close_stream();
          --streams;
        });
  }

  bool send_events(const Session& session, std::uint64_t& seen, double& silent,
                   httplib::DataSink& sink) const {
    constexpr double kStep = 0.5;
    if (closing || !sink.is_writable()) return false;
    std::string text;
    try {
      for (const auto& event : session.wait_for_events(seen, kStep))
        text += "event: " + event.name + "\ndata: " + event.data + "\n\n";
    } catch (const Refused&) {
      return false;
    }
    silent = text.empty() ? silent + kStep : 0;
    if (silent >= kPing) {
      text = ": still here\n\n";
      silent = 0;
    }
    return text.empty() || sink.write(text.data(), text.size());
  }

  ServerSettings settings;
  Api api;
  Guard guard;
  int port = 0;
  std::atomic<std::size_t> streams{0};
  std::atomic<bool> closing{false};
  Listener http;  // last: its threads use the others
};

std::string place_of(const std::string& host, int port) {
  const bool many_colons = host.find(':') != std::string::npos;
  return (many_colons ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Server::Server(ServerSettings settings) : inside_(std::make_unique<Inside>(std::move(settings))) {}
Server::~Server() {
  stop();
}

int Server::port() const {
  return inside_->port;
}

void Server::run() {
  if (inside_->closing) return;
  const auto pictures = start_thread([] {  // before somebody waits for them
    try {
      games_list();
    } catch (const std::exception&) {
      // whoever asks for them is told
    }
  });
  const auto sweeper = start_thread([this](const std::stop_token& stop) {
    for (int tick = 1; !stop.stop_requested(); ++tick) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (inside_->closing) inside_->http.stop();  // asked for before it listened
      if (tick % 100 == 0) inside_->api.sessions().end_idle();
    }
  });
  inside_->http.listen_after_bind();
}

void Server::stop() {
  inside_->closing = true;
  inside_->http.interrupt();
  inside_->http.stop();
}

}  // namespace polymax::server
