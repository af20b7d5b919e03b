// Makes a game type one of the catalog. A generated bind_<game>.cpp calls entry_of<Rules>() for
// each game.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "catalog/any.hpp"
#include "catalog/bind_rules.hpp"
#include "catalog/catalog.hpp"
#include "catalog/common_keys.hpp"
#include "catalog/rules_game.hpp"

namespace polymax::catalog {

// The canonical text of a game with its settings.
template <Game G>
std::string spec_of(const std::string& name, const typename G::Options& options, Points points) {
  Spec out = write_settings(name, options);
  if (points != G::default_points)
    out.arguments.push_back(
        {"points", 0, word(std::string(kPointsNames[static_cast<std::size_t>(points)]))});
  return out.text();
}

template <Game G>
std::unique_ptr<const AnyGame> make_game(
    const std::string& name, const typename G::Options& options, Points points,
    const SearchKit& kit = kit_for(sizeof(typename G::State))) {
  return std::make_unique<RulesGame>(
      std::make_shared<const BoundRules<G>>(options),
      GameFacts{name, spec_of<G>(name, options, points), spec_of<G>(name, options, Points::gain),
                points, offered_evaluators<G>()},
      kit);
}

template <Game G>
GameEntry entry_of(const char* name) {
  GameEntry out{{name, G::about, describe_settings<typename G::Options>()},
                offered_searches(abilities_of<G>()),
                offered_evaluators<G>(),
                [](const Spec& asked) -> std::unique_ptr<const AnyGame> {
                  Spec own = asked;
                  Points points = G::default_points;
                  if (const auto given = take_argument(own, "points"))
                    points = read_common<PointsSetting>(asked, *given).points;
                  const auto options = read_settings<typename G::Options>(own, {"points"});
                  try {
                    return make_game<G>(asked.name, options, points);
                  } catch (const Error& error) {
                    fail_at(asked, asked.at, error.what());
                  }
                }};
  auto points = describe_settings<PointsSetting>();
  points[0].preset = kPointsNames[static_cast<std::size_t>(G::default_points)];
  out.entry.settings.push_back(points[0]);
  return out;
}

}  // namespace polymax::catalog
