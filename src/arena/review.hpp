// A recorded match looked at again by one player: what every seat could expect before every move,
// and what the moves played threw away, in points and in chances to win.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "arena/match.hpp"

namespace polymax::arena {

struct ReviewSettings {
  std::string player;  // spec
  Budget budget;       // for a position; the chances to win take as much again
  std::uint64_t seed = 0;
  int threads = 1;
  double mistake = 0.1, blunder = 0.25;  // chances lost, of 1
};

// A position of the match. Chances: 1 a sure win, 0 a sure loss, half of it a draw; from a second
// thought that plays for the gain alone, or from the first where the game's points are the gain.
struct Outlook {
  Scores points;
  // Nothing: the player cannot play for the gain (a network of points).
  std::optional<Scores> chances;
  friend bool operator==(const Outlook&, const Outlook&) = default;
};

enum class Grade { fine, mistake, blunder };

struct ReviewedMove {
  std::string move, best;
  int seat = 0;
  Outlook before;          // when everybody plays on as the player thinks
  double points_lost = 0;  // by the mover, between the best move and the one played; not below 0
  std::optional<double> chances_lost;
  Grade grade = Grade::fine;
  friend bool operator==(const ReviewedMove&, const ReviewedMove&) = default;
};

inline constexpr std::array<std::string_view, 3> kGradeNames{"fine", "mistake", "blunder"};

// The same player, for win and loss alone; nothing when it cannot.
std::optional<Spec> for_wins(const AnyGame& game, Spec player);
// What gains say of the chances to win.
Scores chances_of(const Scores& gain, int players);

// What a move threw away, from what could be expected before it and after it. Fine where chances
// are not known.
ReviewedMove judged(const std::string& move, int seat, const std::string& best,
                    const Outlook& before, const Outlook& after,
                    const ReviewSettings& settings = {});

struct Review {
  std::string game, player;
  std::vector<std::string> players;
  std::vector<ReviewedMove> moves;
  Outlook after;  // the last position: the result, when the match was played to its end
  bool over = false;
  friend bool operator==(const Review&, const Review&) = default;
};

// Throws Error for a record that its rules do not allow, a player that cannot be made, or when
// `stop` was asked for. done(i, n): i of n thoughts, by one thread at a time; what it throws ends
// the review and comes back.
Review review(const MatchRecord& record, const ReviewSettings& settings,
              const std::function<void(std::size_t, std::size_t)>& done = {},
              std::stop_token stop = {});

}  // namespace polymax::arena
