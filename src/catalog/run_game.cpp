#include "catalog/run_game.hpp"

#include <utility>

#include "catalog/catalog.hpp"

namespace polymax::catalog {

namespace {

learn::PlayMatch matches(std::shared_ptr<const AnyGame> game, const learn::PlaySettings& settings) {
  const auto resolved =
      settings.resolved > 0
          ? std::make_shared<ResolvedPositions>(static_cast<std::size_t>(settings.resolved) << 20)
          : nullptr;
  return [game = std::move(game), resolved, search = Spec::parse(settings.search),
          budget = parse_budget(settings.budget)](std::shared_ptr<const LoadedNet> net,
                                                  std::uint64_t seed, std::stop_token stop) {
    Budget own = budget;
    own.stop = std::move(stop);
    return game->self_play(std::move(net), search, own, seed, resolved.get());
  };
}

}  // namespace

learn::RunGame run_game(std::shared_ptr<const AnyGame> game) {
  learn::RunGame out;
  out.subject = game->subject();
  out.random_samples = [game](std::uint64_t seed, const learn::RandomMatches& asked) {
    return game->random_samples(seed, asked);
  };
  out.matches = [game](const learn::PlaySettings& settings) { return matches(game, settings); };
  out.open = [](const std::string& spec) { return run_game(open_game(spec)); };
  return out;
}

}  // namespace polymax::catalog
