// What expected points say of who wins. Networks learn points of the score or of the depth; a
// search that plays for wins (points=gain of the game, aim=win of a player) asks them through this.
#pragma once

#include <string>

#include "core/game.hpp"
#include "core/points.hpp"
#include "core/scores.hpp"
#include "core/spec.hpp"

namespace polymax {

// Optional: the seats with the most points of score() have won, equal ones together; all others
// have lost.
template <class G>
concept MostPointsWin = Game<G> && requires {
  requires G::most_points_win;
  requires G::default_points == Points::score;
};

// Optional: seats with positive points have won, those with negative ones lost. So it is with
// points of depth, and where the score says so.
template <class G>
concept SignWins = Game<G> &&
    (G::default_points == Points::depth || requires { requires G::positive_score_wins; });

// Whether the points that networks learn by default tell who wins.
template <class G>
concept PointsTellWins = MostPointsWin<G> || SignWins<G>;

// Expected gains from expected points: the chance of every seat to end with the most, where what is
// still unknown of each seat's points is Gumbel noise of this spread; joint wins count as one
// seat's. Chosen: who asks says whether the spread shrinks towards the end of the game, where
// searches know the winner.
Scores gains_by_lead(const Scores& points, int players, float spread);

// Expected gains where the sign of the points is the gain: points of this spread are a sure thing
// nearly (tanh), more points are always more.
Scores gains_by_sign(const Scores& points, int players, float spread);

template <PointsTellWins G>
Scores gains_of_points(const Scores& points, int players, float spread) {
  return MostPointsWin<G> ? gains_by_lead(points, players, spread)
                          : gains_by_sign(points, players, spread);
}

// Whose networks value a game: its own, or those of the same game with its default points where
// these tell who wins and the spec asks for gains.
template <Game G>
std::string game_of_networks(const std::string& spec, Points points) {
  if (!PointsTellWins<G> || points != Points::gain) return spec;
  Spec out = Spec::parse(spec);
  take_argument(out, "points");
  return out.text();
}

}  // namespace polymax
