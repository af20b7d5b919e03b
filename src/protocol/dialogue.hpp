// Talking with an engine outside. Whatever it does wrong becomes a Forfeit with the reason, and the
// program is gone by then.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

#include "catalog/any.hpp"
#include "protocol/child.hpp"

namespace polymax::protocol {

// The search was asked to stop while the engine was thinking.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

class Dialogue {
 public:
  // heard(who, line): everybody's lines, for who wants to look on.
  enum class Speaker { us, engine };
  using Heard = std::function<void(Speaker who, const std::string& line)>;

  // The program finds the game's spec in POLYMAX_GAME.
  Dialogue(const AnyGame& game, const std::string& cmd, const std::string& log, Heard heard = {});

  void send(const std::string& line);
  // The next line; `wanted` says in the reason what was waited for.
  std::string read(Clock::time_point until, std::string_view wanted,
                   const std::stop_token& stop = {});
  // As read(), but that nothing comes until then is no fault.
  std::optional<std::string> patient_read(Clock::time_point until);
  void calm() { child_.calm(); }  // an exchange begins
  bool alive() const { return child_.alive(); }
  void end(double patience_seconds) { child_.end(patience_seconds); }
  std::string how_it_ended() const { return child_.how_it_ended(); }
  pid_t pid() const { return child_.pid(); }

  // Ends the program and throws Forfeit.
  [[noreturn]] void fault(const std::string& reason);

 private:
  [[noreturn]] void gone(const std::string& when);

  Child child_;
  Heard heard_;
};

}  // namespace polymax::protocol
