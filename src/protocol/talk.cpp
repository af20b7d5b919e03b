#include "protocol/talk.hpp"

#include <cmath>
#include <limits>

namespace polymax::protocol {

std::unique_ptr<Talk> talk_to(Language language, const AnyGame& game, const std::string& cmd,
                              const std::string& log, const TalkLimits& limits,
                              Dialogue::Heard heard) {
  auto with = std::make_unique<Dialogue>(game, cmd, log, std::move(heard));
  return language == Language::ugi ? ugi_talk(game, std::move(with), limits)
                                   : gtp_talk(game, std::move(with), limits);
}

AnyVerdict unknown_verdict(int players) {
  AnyVerdict out;
  for (int p = 0; p < players; ++p) out.value[p] = std::numeric_limits<float>::quiet_NaN();
  return out;
}

Clock::time_point deadline(const Budget& budget, const TalkLimits& limits, int moves) {
  return after(std::isfinite(budget.seconds) ? moves * budget.seconds + limits.grace : limits.move);
}

bool same_start(const AnyGame& game, std::uint64_t a, std::uint64_t b) {
  return a == b || game.start(a)->hash() == game.start(b)->hash();
}

}  // namespace polymax::protocol
