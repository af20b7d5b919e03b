// Games that the most points win: what expected points say of who wins. Networks learn points of
// the score; a search that plays for wins (points=gain) asks them through this.
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

// Expected gains from expected points: the chance of every seat to end with the most, where what is
// still unknown of each seat's points is Gumbel noise of this spread; joint wins count as one
// seat's. Chosen: the spread does not shrink towards the end of the game, where searches know the
// winner.
Scores gains_by_lead(const Scores& points, int players, float spread);

// Whose networks value a game: its own, or those of the same game with points=score where the most
// points win and the spec asks for gains.
template <Game G>
std::string game_of_networks(const std::string& spec, Points points) {
  if (!MostPointsWin<G> || points != Points::gain) return spec;
  Spec out = Spec::parse(spec);
  take_argument(out, "points");
  return out.text();
}

}  // namespace polymax
