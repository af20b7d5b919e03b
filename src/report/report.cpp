// See report.hpp. Computes the figures once, then lets every writer lay them out.
#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/columns.hpp"
#include "core/lists.hpp"
#include "report/report_parts.hpp"

namespace polymax::report {

const std::string_view kIntervalNote =
    "Two 95 % intervals stand beside every mean. The paper's takes matches as independent "
    "(stratified bootstrap, strata = games). They are not: matches that share a network, in "
    "whatever role, depend on each other. The second one allows for that and is the one to trust. "
    "Where it is not known, the study has too few networks. Ranks come from paired differences: "
    "two players have the same starts, seats and networks, so what they differ is known better "
    "than either mean; players whose difference excludes 0 do not share a rank. By games, where "
    "there are four or more: that difference's interval with every game as one draw, which allows "
    "for whatever the networks of a game do, however few, and for games that differ.";
const std::string_view kParityNote =
    "Scores are 100 x the mean of 1 (win), 0 (draw), -1 (loss). Parity is what a player scores "
    "against P-1 copies of itself when one seat wins: 100 (2/P - 1), that is 0, -33.3, -50 for 2, "
    "3, 4 seats; draws, joint wins and teams raise it. Read scores against parity, not against 0; "
    "where the benchmark is among the evaluated players, its own row is the line.";
const std::string_view kRatingNote =
    "Ratings: Plackett-Luce with ties over all matches, benchmark = 0, 400 points = odds of 10 to "
    "1, with one standard error that takes matches as independent. A rating marked > or < has no "
    "finite maximum of the likelihood (the player won or lost everything); a weak prior of half a "
    "win and half a loss bounds it.";
const std::string_view kForfeitNote =
    "A seat that broke the rules of the match (an engine that crashed, was late, played an illegal "
    "move) has lost it and all others have won; that counts in scores and ratings, not in points.";

namespace {

std::string without_minus_zero(std::string text) {
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos)
    text.erase(0, 1);
  return text;
}

}  // namespace

std::string decimal(double value, int digits) {
  return std::isnan(value) ? "-" : without_minus_zero(fmt::format("{:.{}f}", value, digits));
}

std::string percent(double score, int digits) {
  return decimal(100 * score, digits);
}

std::string bounds(const arena::Interval& interval, int digits) {
  if (!interval.known) return "not known";
  return fmt::format("[{}, {}]", percent(interval.low, digits), percent(interval.high, digits));
}

std::string mean_text(const arena::Interval& interval, int digits) {
  const std::string mean = percent(interval.mean, digits);
  return interval.known ? mean + " ± " + percent(interval.radius(), digits) : mean;
}

std::string rank_text(int rank) {
  return rank > 0 ? std::to_string(rank) : "-";
}

std::string correlation(double value) {
  return decimal(value, 2);
}

std::string rating_text(const arena::Rating& rating) {
  if (rating.matches == 0) return "-";
  const std::string mark = rating.measured ? "" : rating.strength > 0 ? "> " : "< ";
  const std::string value = decimal(rating.elo(), 0);
  return mark + (rating.elo() > 0 ? "+" : "") + value + " ± " + decimal(rating.elo_error(), 0);
}

std::string TextTable::markdown() const {
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (const auto& cell : cells) {
      out += "| ";
      for (char c : cell) out += c == '|' ? std::string("\\|") : std::string(1, c);
      out += ' ';
    }
    out += "|\n";
  };
  line(head);
  for (std::size_t k = 0; k < head.size(); ++k) out += k == 0 ? "|---" : "|---:";
  out += "|\n";
  for (const auto& row : rows) line(row);
  return out;
}

std::string TextTable::plain() const {
  std::vector<std::size_t> widths;
  for (const auto& cell : head) widths.push_back(columns_of(cell));
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], columns_of(row[k]));
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::string fill(widths[k] - columns_of(cells[k]), ' ');
      if (k > 0) out += "  ";
      out += k == 0 ? cells[k] + fill : fill + cells[k];
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  line(head);
  for (const auto& row : rows) line(row);
  return out;
}

std::string Figures::progress() const {
  const auto played = static_cast<std::uint64_t>(analysis.finished) + analysis.failed.size();
  std::string out = grouped(played);
  if (table.planned > 0) out += " of " + grouped(table.planned);
  out += " matches";
  std::vector<std::string> broken;
  if (!analysis.failed.empty()) broken.push_back(fmt::format("{} failed", analysis.failed.size()));
  if (!analysis.forfeited.empty())
    broken.push_back(fmt::format("{} forfeited", analysis.forfeited.size()));
  if (!broken.empty()) out += " (" + joined(broken, ", ") + ")";
  return out + fmt::format(", {} of {} blocks whole", analysis.whole_blocks, analysis.blocks);
}

std::size_t Figures::short_openings() const {
  const auto is_short = [&](const arena::StudyRow& row) {
    int played = 0;  // by the players; the rest is the opening
    for (const auto& use : row.use) played += use.moves;
    return !row.failed() && !row.forfeited() && row.length - played < table.opening;
  };
  return static_cast<std::size_t>(std::ranges::count_if(table.rows, is_short));
}

std::string Figures::pool_title(const arena::Pool& pool) const {
  if (pool.games.size() == table.games.size())
    return pool.games.size() == 1 ? label(0) : "all games";
  std::string out;
  for (int g : pool.games) out += (out.empty() ? "" : ", ") + label(g);
  return out;
}

std::vector<int> Figures::order() const {
  std::vector<int> out;
  for (const arena::Pool& pool : analysis.pools)
    for (const auto& row : pool.rows)
      if (std::find(out.begin(), out.end(), row.player) == out.end()) out.push_back(row.player);
  for (int p = 0; p < players(); ++p)
    if (std::find(out.begin(), out.end(), p) == out.end()) out.push_back(p);
  return out;
}

namespace {

std::string signed_percent(double value) {
  const std::string out = percent(value);
  return out.starts_with('-') || value <= 0 ? out : "+" + out;
}

}  // namespace

std::string difference_bounds(const arena::Interval& interval) {
  if (!interval.known) return "not known";
  return fmt::format("[{}, {}]", signed_percent(interval.low), signed_percent(interval.high));
}

std::string difference(const arena::Interval& interval) {
  if (!interval.known) return "not known";
  return signed_percent(interval.mean) + " " + difference_bounds(interval);
}

bool known_by_games(const arena::Pool& pool) {
  return pool.rows.size() > 1 && pool.by_games[0][1].known;
}

std::string Figures::label(int g) const {
  const auto& own = table.games[static_cast<std::size_t>(g)];
  return own.spec.starts_with(own.name + "(") ? own.spec : own.name;
}

namespace {

// The evaluated player that is the benchmark; -1: there is none.
int benchmark_among(const arena::StudyTable& table) {
  for (std::size_t p = 0; p < table.players.size(); ++p)
    if (table.players[p].spec == table.benchmark.spec &&
        table.players[p].budget == table.benchmark.budget)
      return static_cast<int>(p);
  return -1;
}

}  // namespace

bool Figures::measured_level(int g) const {
  const int p = benchmark_among(table);
  return p >= 0 && cell(p, g).all.matches() > 0;
}

double Figures::level(int g) const {
  return measured_level(g) ? cell(benchmark_among(table), g).matches.mean
                           : arena::parity(table.games[static_cast<std::size_t>(g)].players);
}

std::vector<std::string> Figures::unlike_paper() const {
  if (comparisons.empty()) return {};
  std::vector<std::string> out;
  std::string boards;
  std::set<int> channels;
  bool networks = true;
  for (const auto& game : table.games) {
    const auto* known = paper.find_game(game.spec);
    if (known && known->spec != game.spec)
      boards += (boards.empty() ? "" : ", ") + game.spec + " for " + known->spec;
    if (known && known->channels > 0) channels.insert(known->channels);
    for (const auto& function : game.evaluators) networks = networks && !function.about.empty();
  }
  if (!boards.empty()) out.push_back("other boards or rules: " + boards);
  if (!networks)
    out.emplace_back("hand-made evaluators instead of networks learned by self-play");
  else if (channels.empty())
    out.emplace_back("other networks than the paper's");
  else
    out.push_back(fmt::format("other networks than the paper's, which have {} channels",
                              fmt::join(channels, " or ")));
  if (table.functions != paper.functions)
    out.push_back(fmt::format("{} function{} a game instead of {}", table.functions,
                              table.functions == 1 ? "" : "s", paper.functions));
  std::vector<double> seconds;
  for (const auto& experiment : paper.experiments) seconds.push_back(experiment.seconds);
  if (std::ranges::find(seconds, table.seconds) == seconds.end())
    out.push_back(fmt::format("a budget of {} instead of {} seconds", table.budget,
                              fmt::join(seconds, " or ")));
  if (table.opening > 0)
    out.push_back(
        fmt::format("{} random move{} first", table.opening, table.opening == 1 ? "" : "s"));
  const auto own = std::ranges::count_if(table.players,
                                         [](const auto& player) { return !player.budget.empty(); });
  if (own > 0 || !table.benchmark.budget.empty())
    out.push_back("budgets of their own for some players");
  return out;
}

Report::Report(const arena::StudyTable& table, const ReportSettings& settings) {
  auto figures = std::make_unique<Figures>(
      Figures{table, settings, analyse(table, settings.seed, settings.resamples), {}, {}, {}, {}});
  if (!settings.paper_file.empty()) {
    figures->paper = arena::read_paper(settings.paper_file);
    figures->comparisons = compare(table, figures->analysis, figures->paper);
    figures->paper_tables = paper_tables(table, figures->analysis, figures->paper);
  }
  if (settings.beside)
    figures->budgets = budgets_beside(table, figures->analysis, *settings.beside,
                                      analyse(*settings.beside, settings.seed, settings.resamples));
  figures_ = std::move(figures);
}

Report::~Report() = default;

std::string Report::markdown() const {
  return to_markdown(*figures_);
}
std::string Report::latex() const {
  return to_latex(*figures_);
}
std::string Report::csv() const {
  return to_csv(*figures_);
}
std::string Report::json() const {
  return to_json(*figures_);
}
std::string Report::html() const {
  return to_html(*figures_);
}
std::string Report::text() const {
  return to_text(*figures_);
}

}  // namespace polymax::report
