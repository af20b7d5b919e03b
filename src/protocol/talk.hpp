// One engine outside, playing: what UGI and GTP have in common for those who want moves.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "catalog/any.hpp"
#include "protocol/dialogue.hpp"

namespace polymax::protocol {

enum class Language { ugi, gtp };
inline constexpr std::array<std::string_view, 2> kLanguages{"ugi", "gtp"};

// Seconds that an engine has.
struct TalkLimits {
  double start = 20;  // to answer when it is started
  double move = 300;  // for a move whose budget names no time
  double grace = 1;   // beyond the time of a budget
};

class Talk {
 public:
  virtual ~Talk() = default;

  // Names, settings, ready. Throws Forfeit, as do the next.
  virtual void greet() = 0;
  virtual void new_match(std::uint64_t seed) = 0;  // seed of the engine's choices
  // A legal move, with what the engine said of it: value is no number where it said nothing. Throws
  // Stopped when the budget's stop was asked for and the engine gave no move at once.
  virtual AnyVerdict move(const AnyMatch& match, const Budget& budget, const Watch& watch) = 0;
  virtual void quit() = 0;
  virtual Dialogue& dialogue() = 0;
};

// The game outlives it.
std::unique_ptr<Talk> talk_to(Language language, const AnyGame& game, const std::string& cmd,
                              const std::string& log, const TalkLimits& limits,
                              Dialogue::Heard heard = {});

// For the implementations.
std::unique_ptr<Talk> ugi_talk(const AnyGame& game, std::unique_ptr<Dialogue> with,
                               const TalkLimits& limits);
std::unique_ptr<Talk> gtp_talk(const AnyGame& game, std::unique_ptr<Dialogue> with,
                               const TalkLimits& limits);
// Asks in GTP: the whole answer with its sign and number, or, where the first line is no answer,
// that line. Empty lines and comments before it are passed over.
std::string gtp_answer(Dialogue& with, const std::string& command, Clock::time_point until,
                       const std::stop_token& stop = {});
bool is_gtp_answer(const std::string& said);
AnyVerdict unknown_verdict(int players);  // all values no number
// Until when a move may come.
Clock::time_point deadline(const Budget& budget, const TalkLimits& limits, int moves = 1);
bool same_start(const AnyGame& game, std::uint64_t a, std::uint64_t b);

}  // namespace polymax::protocol
