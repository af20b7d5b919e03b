// See strength.hpp.
#include "arena/strength.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "arena/tournament.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/grouped.hpp"
#include "core/json.hpp"

namespace polymax::arena {

namespace {

constexpr std::array<const char*, 2> kFixed{"mcts", "greedy(eval=estimate)"};

Pairing against(const KeptNet& net, const char* fixed) {
  return {net, fixed, fixed, fixed};
}

// At most `most` of `count` things, first and last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> out;
  if (count == 0 || most == 0) return out;
  if (most == 1) return {count - 1};
  if (count <= most) most = count;
  for (std::size_t k = 0; k < most; ++k)
    out.push_back(most == 1 ? 0 : k * (count - 1) / (most - 1));
  return out;
}

StrengthResult result_of(const Json& from) {
  StrengthResult out;
  from.at("net").get_to(out.net);
  from.at("net_id").get_to(out.net_id);
  from.at("opponent").get_to(out.opponent);
  from.at("opponent_id").get_to(out.opponent_id);
  from.at("search").get_to(out.search);
  from.at("budget").get_to(out.budget);
  from.at("starts").get_to(out.starts);
  out.seed = read_exact(from.at("seed"), "seed");
  // the second words are those of earlier versions
  from.at(from.contains("wins") ? "wins" : "won").get_to(out.wins);
  from.at(from.contains("draws") ? "draws" : "drawn").get_to(out.draws);
  from.at(from.contains("losses") ? "losses" : "lost").get_to(out.losses);
  from.at("failed").get_to(out.failed);
  from.at("score").get_to(out.score.mean);
  out.score.known = from.at("interval").is_array();
  if (out.score.known) {
    from.at("interval").at(0).get_to(out.score.low);
    from.at("interval").at(1).get_to(out.score.high);
  }
  return out;
}

}  // namespace

std::string net_player(const std::string& search, const std::string& file,
                       const std::string& settings) {
  Spec player = Spec::parse(search), net = Spec::parse("network(" + settings + ")"), name;
  name.name = file;
  net.arguments.push_back({"file", 0, name});
  player.arguments.push_back({"eval", 0, net});
  return player.text();
}

std::vector<Pairing> pairings(std::span<const KeptNet> nets, std::size_t earlier, Measured measured,
                              const StrengthSettings& settings) {
  std::vector<Pairing> out;
  if (nets.empty()) return out;
  for (const char* fixed : kFixed) out.push_back(against(nets.back(), fixed));
  const auto others = nets.first(nets.size() - 1);
  for (const std::size_t k : spread(others.size(), earlier)) {
    out.push_back({nets.back(), "after " + grouped(others[k].matches) + " matches",
                   net_player(settings.search, others[k].file), others[k].id});
    if (measured == Measured::all)
      for (const char* fixed : kFixed) out.push_back(against(others[k], fixed));
  }
  return out;
}

bool answers(const StrengthResult& result, const Pairing& pairing,
             const StrengthSettings& settings) {
  return result.net_id == pairing.net.id && result.opponent_id == pairing.opponent_id &&
         result.search == settings.search && result.budget == settings.budget &&
         result.starts == settings.starts && result.seed == settings.seed;
}

StrengthResult play(const Pairing& pairing, const StrengthSettings& settings,
                    const std::function<void(std::uint64_t, std::uint64_t)>& watch,
                    std::stop_token stop) {
  TournamentSettings plan;
  plan.game = settings.game;
  plan.players = {Spec::parse(net_player(settings.search, pairing.net.file)),
                  Spec::parse(pairing.spec)};
  plan.budgets = {catalog::parse_budget(settings.budget)};
  plan.against = true;
  plan.starts = settings.starts;
  plan.opening = settings.game->players();  // a random move of every seat: starts differ
  plan.seed = settings.seed;
  plan.threads = settings.threads;
  const auto result = tournament(
      plan,
      [&](std::uint64_t, const MatchRecord&, const TournamentResult& so_far) {
        if (watch) watch(so_far.played + so_far.failed, so_far.planned);
        return true;
      },
      std::move(stop));
  const auto& own = result.players[0];
  StrengthResult out{pairing.net.matches,
                     pairing.net.id,
                     pairing.opponent,
                     pairing.opponent_id,
                     settings.search,
                     settings.budget,
                     settings.starts,
                     settings.seed,
                     own.wins,
                     own.draws,
                     own.losses,
                     result.failed,
                     mean_interval(own.blocks, settings.seed)};
  return out;
}

std::string strength_line(const StrengthResult& r) {
  Json interval;
  if (r.score.known) interval = Json::array({r.score.low, r.score.high});
  return Json{{"net", r.net},           {"net_id", r.net_id},
              {"opponent", r.opponent}, {"opponent_id", r.opponent_id},
              {"search", r.search},     {"budget", r.budget},
              {"starts", r.starts},     {"seed", exact_number(r.seed)},
              {"wins", r.wins},         {"draws", r.draws},
              {"losses", r.losses},     {"failed", r.failed},
              {"score", r.score.mean},  {"interval", interval}}
      .dump();
}

std::vector<StrengthResult> read_strength(const std::string& lines) {
  std::vector<StrengthResult> out;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const auto from = Json::parse_or_null(line);
    if (!from.is_object()) continue;
    try {
      out.push_back(result_of(from));
    } catch (const Error&) {  // something else's line
    }
  }
  return out;
}

StrengthFile::StrengthFile(const std::string& folder) : path_(folder + "/strength.jsonl") {
  read();
}

void StrengthFile::hold() {
  if (file_) return;
  file_ = std::make_unique<GrowingFile>(path_, "wait for the other `train report`");
  const std::string text = read();
  const auto end = text.rfind('\n');
  if (end + 1 < text.size()) file_->cut(end + 1);  // torn; npos + 1 is 0
}

void StrengthFile::add(const StrengthResult& result) {
  file_->append(strength_line(result) + "\n");
  file_->sync();
  results_.push_back(result);
}

std::string StrengthFile::read() {
  if (!std::filesystem::exists(path_)) return "";
  std::string text = read_file(path_);
  results_ = read_strength(text);
  return text;
}

std::vector<std::string> play_missing(
    std::span<const Pairing> wanted, const StrengthSettings& settings, StrengthFile& file,
    const std::function<void(std::size_t k, std::uint64_t done, std::uint64_t planned)>& watch,
    const std::stop_token& stop) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto& pairing = wanted[k];
    const auto known = [&](const auto& result) { return answers(result, pairing, settings); };
    if (std::ranges::any_of(file.results(), known)) continue;
    file.hold();
    if (std::ranges::any_of(file.results(), known)) continue;  // by another report, just now
    try {
      const auto watch_one = [&](std::uint64_t done, std::uint64_t planned) {
        if (watch) watch(k, done, planned);
      };
      const auto result = play(pairing, settings, watch_one, stop);
      if (stop.stop_requested()) break;
      file.add(result);
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::failed) throw;
      out.push_back("Not played: the network after " + std::to_string(pairing.net.matches) +
                    " matches against " + pairing.opponent + ": " + error.what());
    }
  }
  return out;
}

}  // namespace polymax::arena
