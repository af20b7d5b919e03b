#include "catalog/bind.hpp"

#include "catalog/common_keys.hpp"
#include "catalog/rules_game.hpp"
#include "catalog/search_kit.hpp"

namespace polymax::catalog {

namespace {

std::string with_points(Spec spec, Points points, Points preset) {
  if (points != preset)
    spec.arguments.push_back(
        {"points", 0, word(std::string(kPointsNames[static_cast<std::size_t>(points)]))});
  return spec.text();
}

std::unique_ptr<const AnyGame> open_bound(const Binding& binding, const Spec& asked) {
  Spec own = asked;
  Points points = binding.points;
  if (const auto given = take_argument(own, "points"))
    points = read_common<PointsSetting>(asked, *given).points;
  return make_game(binding, binding.open(own), points);
}

}  // namespace

std::unique_ptr<const AnyGame> make_game(const Binding& binding, OpenRules opened, Points points,
                                         const SearchKit* kit) {
  const SearchKit& searches = kit ? *kit : kit_for(opened.rules->state_bytes());
  return std::make_unique<RulesGame>(
      std::move(opened.rules),
      GameFacts{binding.name, with_points(opened.spec, points, binding.points),
                with_points(opened.spec, Points::gain, binding.points), points, binding.evaluators},
      searches);
}

GameEntry entry_of(const Binding& binding) {
  GameEntry out{{binding.name, binding.about, binding.settings},
                offered_searches(binding.abilities),
                binding.evaluators,
                [binding](const Spec& asked) { return open_bound(binding, asked); }};
  auto points = describe_settings<PointsSetting>();
  points[0].preset = kPointsNames[static_cast<std::size_t>(binding.points)];
  out.entry.settings.push_back(points[0]);
  return out;
}

}  // namespace polymax::catalog
