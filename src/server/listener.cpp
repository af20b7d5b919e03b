#include "server/listener.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "core/deadline.hpp"

namespace polymax::server {

namespace {

constexpr int kBacklog = 1024;           // cpp-httplib lets 5 wait
constexpr std::size_t kRequests = 1000;  // on one connection
constexpr double kFarewell = 2;          // seconds in which an answer is taken before a close
constexpr double kSlowest = 50e3;        // bytes a second that an answer may take
constexpr std::size_t kUnread = std::size_t{8} << 20;  // of a refused request

// Waits until the socket is ready; false: not in time, or the other event came.
bool ready(socket_t socket, short events, Clock::time_point until, int other = -1) {
  std::array<pollfd, 2> wanted{{{socket, events, 0}, {other, POLLIN, 0}}};
  for (;;) {
    const int got = poll(wanted.data(), wanted.size(), milliseconds_until(until));
    if (got < 0 && errno == EINTR) continue;
    return got > 0 && wanted[0].revents != 0;
  }
}

class Connection final : public httplib::Stream {
 public:
  Connection(socket_t socket, const Limits& limits) : socket_(socket), limits_(limits) {}

  // False: nobody asks.
  bool wait_for_request(int interrupted) {
    const bool asked =
        begin_ < end_ || ready(socket_, POLLIN, after(limits_.silence_seconds), interrupted);
    until_ = after(limits_.request_seconds);
    answered_ = false;
    return asked;
  }

  bool is_readable() const override { return begin_ < end_ || ready(socket_, POLLIN, until_); }

  // Whether the other side is still there.
  bool is_writable() const override {
    pollfd now{socket_, POLLRDHUP, 0};
    return poll(&now, 1, 0) == 0;
  }

  ssize_t read(char* to, std::size_t size) override {
    if (begin_ == end_) {
      ssize_t got = -1;
      do {
        if (Clock::now() >= until_ || !ready(socket_, POLLIN, until_)) return -1;
        got = recv(socket_, buffer_.data(), buffer_.size(), 0);
      } while (got < 0 && (errno == EINTR || errno == EAGAIN));
      if (got <= 0) return got;
      begin_ = 0;
      end_ = static_cast<std::size_t>(got);
    }
    const std::size_t count = std::min(size, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, count, to);
    begin_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* from, std::size_t size) override {
    const auto until = after(limits_.answer_seconds + static_cast<double>(size) / kSlowest);
    answered_ = true;
    for (std::size_t sent = 0; sent < size;) {
      const ssize_t count = send(socket_, from + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count > 0) sent += static_cast<std::size_t>(count);
      if (count >= 0 || errno == EINTR) continue;
      if (errno != EAGAIN || !ready(socket_, POLLOUT, until)) return -1;
    }
    return static_cast<ssize_t>(size);
  }

  // What the other side still sends, so that closing does not take back the last answer.
  void drain() {
    if (!answered_) return;
    shutdown(socket_, SHUT_WR);
    const auto until = after(kFarewell);
    for (std::size_t unread = 0; unread < kUnread && ready(socket_, POLLIN, until);) {
      const ssize_t got = recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (got <= 0) break;
      unread += static_cast<std::size_t>(got);
    }
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    name(getpeername, ip, port);
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    name(getsockname, ip, port);
  }
  socket_t socket() const override { return socket_; }

 private:
  template <class Ask>
  void name(const Ask& ask, std::string& ip, int& port) const {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (ask(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0) return;
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> service{};
    if (getnameinfo(reinterpret_cast<sockaddr*>(&address), length, host.data(), host.size(),
                    service.data(), service.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
      return;
    ip = host.data();
    port = std::atoi(service.data());
  }

  socket_t socket_;
  const Limits& limits_;
  Clock::time_point until_;
  bool answered_ = false;
  std::size_t begin_ = 0, end_ = 0;
  std::array<char, 4096> buffer_;
};

}  // namespace

Listener::Listener(const Limits& limits)
    : limits_(limits), interrupted_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  set_tcp_nodelay(true);
  // without cpp-httplib's SO_REUSEPORT: two servers would share a port, each answering at random
  set_socket_options([this](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    listening_ = socket;
  });
}

Listener::~Listener() {
  ::close(interrupted_);
}

void Listener::widen() const {
  ::listen(listening_, kBacklog);  // once more: Linux takes the new length
}

void Listener::interrupt() const {
  const std::uint64_t one = 1;
  (void)!::write(interrupted_, &one, sizeof one);
}

bool Listener::process_and_close_socket(socket_t socket) {
  Connection connection(socket, limits_);
  bool answered = true, last = false;
  for (std::size_t left = kRequests; left > 0 && answered && !last; --left) {
    if (svr_sock_ == INVALID_SOCKET || !connection.wait_for_request(interrupted_)) break;
    answered = process_request(connection, left == 1, last, nullptr);
  }
  if (!answered || last) connection.drain();
  ::close(socket);
  return answered;
}

}  // namespace polymax::server
