// A study made up from chances: what reports are tested with. The same arguments give the same
// table.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "arena/study_rows.hpp"
#include "core/rng.hpp"

namespace polymax::arena {

struct MadeStudy {
  std::vector<std::string> games{"quadrothello", "hex3(side=4)", "othello(size=6)"};
  std::vector<int> seats{4, 3, 2};
  std::vector<std::string> players{"Safe Unbounded Max^n", "brs_plus", "maxn", "newcomer"};
  std::vector<double> strength{0.6, 0.2, 0, -0.5};
  int functions = 5;
  std::string budget = "evals=200";
  int fail_every = 0;  // every so many matches one fails
  std::uint64_t seed = 1;

  StudyTable table() const {
    StudyTable out;
    out.title = "A made study";
    out.budget = budget;
    out.functions = functions;
    out.benchmark = {"maxn", "maxn(eval=network)"};
    for (std::size_t g = 0; g < games.size(); ++g)
      out.games.push_back({games[g].substr(0, games[g].find('(')), games[g], seats[g]});
    for (const auto& player : players) out.players.push_back({player, "spec_of(" + player + ")"});
    Rng rng(seed);
    for (std::size_t g = 0; g < games.size(); ++g)
      for (std::size_t p = 0; p < players.size(); ++p)
        add_matches(out, static_cast<int>(g), static_cast<int>(p), rng);
    out.planned = out.rows.size();
    return out;
  }

 private:
  static double effect(int g, int network) {  // of a network, the same for every player
    return 0.4 * (Rng(static_cast<std::uint64_t>(1000 * g + network)).uniform() - 0.5);
  }

  void add_matches(StudyTable& out, int g, int p, Rng& rng) const {
    const int n = seats[static_cast<std::size_t>(g)];
    const double own_effect = 0.5 * (Rng(static_cast<std::uint64_t>(77 * g + p)).uniform() - 0.5);
    for (int i = 0; i < functions; ++i)
      for (int j = 0; j < functions; ++j)
        for (int seat = 0; seat < n; ++seat) {
          StudyRow row;
          row.match = out.rows.size();
          row.game = g, row.player = p, row.i = i, row.j = j, row.seat = seat;
          std::vector<double> odds;
          for (int s = 0, k = 0; s < n; ++s) {
            const bool own = s == seat;
            const int network = own ? i : (j + k++) % functions;
            const double force = own ? strength[static_cast<std::size_t>(p)] + own_effect : 0;
            odds.push_back(std::exp(force + effect(g, network) - 0.1 * s));
          }
          play(row, odds, rng);
          out.rows.push_back(row);
        }
  }

  void play(StudyRow& row, const std::vector<double>& odds, Rng& rng) const {
    const int n = static_cast<int>(odds.size());
    double sum = 0;
    for (double o : odds) sum += o;
    double at = rng.uniform() * sum;
    int winner = 0;
    while (winner + 1 < n && (at -= odds[static_cast<std::size_t>(winner)]) > 0) ++winner;
    const bool draw = rng.uniform() < 0.1;
    row.gain = draw ? all_seats(n, 0) : one_winner(winner, n);
    row.length = 30 + static_cast<int>(rng.below(20));
    row.record = "records/" + std::to_string(row.match) + ".sgf";
    for (int s = 0; s < n; ++s) {
      row.points[s] = row.gain[s] * 10;
      const double over = rng.uniform() < 0.02 ? rng.uniform() * 0.01 : 0;
      row.use[static_cast<std::size_t>(s)] = {
          row.length / n, 200u * static_cast<unsigned>(row.length / n), 0.01 * row.length, over};
    }
    if (fail_every > 0 && row.match % static_cast<std::uint64_t>(fail_every) == 0) {
      row.error = "player in seat 2: network \"x<y>\" has no output";
      row.gain = {};
    }
  }
};

}  // namespace polymax::arena
