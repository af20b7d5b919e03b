#include "protocol/dialogue.hpp"

#include "protocol/words.hpp"

namespace polymax::protocol {

namespace {

constexpr double kToWrite = 5;  // seconds that an engine may leave its input full
constexpr double kToGo = 0.5;   // and that a broken one has to go by itself

}  // namespace

Dialogue::Dialogue(const AnyGame& game, const std::string& cmd, const std::string& log, Heard heard)
    : child_(cmd, log, "POLYMAX_GAME=" + game.spec()), heard_(std::move(heard)) {}

void Dialogue::fault(const std::string& reason) {
  child_.end(0);
  throw Forfeit(reason);
}

// Its output has ended, or it takes no input: how that came.
void Dialogue::gone(const std::string& when) {
  child_.end(kToGo);
  const std::string how = child_.how_it_ended(), last = child_.last_error_line();
  throw Forfeit((how == "killed by us" ? "the engine closed its input or output"
                                       : "the engine ended (" + how + ")") +
                " before " + when + (last.empty() ? "" : "; it said: " + last));
}

void Dialogue::send(const std::string& line) {
  if (heard_) heard_(Speaker::us, line);
  if (!child_.write(line, after(kToWrite))) gone("it took '" + shown(line, 60) + "'");
}

std::string Dialogue::read(Clock::time_point until, std::string_view wanted,
                           const std::stop_token& stop) {
  auto answer = child_.read(until, stop);
  const std::string what(wanted);
  switch (answer.got) {
    case Child::Got::line:
      if (heard_) heard_(Speaker::engine, answer.line);
      return std::move(answer.line);
    case Child::Got::stopped:
      throw Stopped();
    case Child::Got::late:
      fault("no " + what + " in time");
    case Child::Got::flood:
      fault("endless output where " + what + " was wanted");
    case Child::Got::ended:
      break;
  }
  gone("its " + what);
}

std::optional<std::string> Dialogue::patient_read(Clock::time_point until) {
  auto answer = child_.read(until);
  if (answer.got == Child::Got::late) return std::nullopt;
  if (answer.got != Child::Got::line) fault("the engine broke off");
  if (heard_) heard_(Speaker::engine, answer.line);
  return std::move(answer.line);
}

}  // namespace polymax::protocol
