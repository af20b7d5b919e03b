// Reports: a pure function of the table, free of the machine's time unless time is the budget, well
// formed, and right in figures that can be counted by hand.
#include "report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "arena/analysis.hpp"
#include "arena/paper.hpp"
#include "core/error.hpp"
#include "tests/arena/made_study.hpp"

namespace polymax::report::report_test {
namespace {

using namespace arena;  // the tables that reports are of

const std::string kPaper = std::string(POLYMAX_SOURCE_DIR) + "/studies/paper.json";

ReportSettings quick() {
  return {.seed = 5, .resamples = 200, .paper_file = kPaper};
}

std::string all_of(const Report& r) {
  return r.markdown() + r.latex() + r.csv() + r.json() + r.html() + r.text();
}

TEST(Report, SameTableSameBytesWhateverTheOrderOfRows) {
  MadeStudy made;
  made.fail_every = 50;
  StudyTable table = made.table();
  const std::string first = all_of(Report(table, quick()));
  EXPECT_EQ(first, all_of(Report(table, quick())));
  Rng rng(3);
  rng.shuffle(std::span(table.rows));
  EXPECT_EQ(first, all_of(Report(table, quick())));
  ReportSettings other = quick();
  other.seed = 6;
  EXPECT_NE(first, all_of(Report(table, other)));
}

TEST(Report, SecondsCountOnlyWhereTheyAreTheBudget) {
  StudyTable table = MadeStudy{}.table();
  const std::string evaluations = all_of(Report(table, quick()));
  table.timed = true;
  const std::string seconds = all_of(Report(table, quick()));
  for (StudyRow& row : table.rows)
    for (SeatUse& use : row.use) use.seconds *= 3, use.overrun = 0.5;
  EXPECT_NE(seconds, all_of(Report(table, quick())));
  table.timed = false;
  EXPECT_EQ(evaluations, all_of(Report(table, quick())));
  EXPECT_EQ(evaluations.find("overrun"), std::string::npos);
  EXPECT_NE(seconds.find("longest_overrun_seconds"), std::string::npos);
}

// Two matches a seat: counted by hand.
TEST(Report, CountsAreRight) {
  StudyTable table;
  table.title = "tiny";
  table.budget = "evals=1";
  table.functions = 1;
  table.games = {{"othello", "othello", 2}};
  table.players = {{"a", "a"}, {"b", "b"}};
  table.benchmark = {"c", "c"};
  const float gains[] = {1, 1, 0, -1};
  for (int k = 0; k < 4; ++k) {
    StudyRow row;
    row.match = static_cast<std::uint64_t>(k);
    row.seat = k % 2;
    row.repetition = k / 2;
    row.gain[row.seat] = gains[k];
    row.gain[1 - row.seat] = -gains[k];
    row.length = 10;
    row.use[static_cast<std::size_t>(row.seat)] = {5, 50, 0, 0};
    table.rows.push_back(row);
  }
  table.rows.push_back(table.rows[0]);
  table.rows[4].match = 4;
  table.rows[4].repetition = 2;
  table.rows[4].error = "it broke";
  const Analysis analysis = analyse(table, 1, 100);
  const CellResult& cell = analysis.cells[0][0];
  EXPECT_EQ(cell.all.wins, 2);
  EXPECT_EQ(cell.all.draws, 1);
  EXPECT_EQ(cell.all.losses, 1);
  EXPECT_EQ(cell.all.failed, 1);
  EXPECT_DOUBLE_EQ(cell.all.mean(), 0.25);
  EXPECT_DOUBLE_EQ(cell.seats[0].mean(), 0.5);
  EXPECT_DOUBLE_EQ(cell.seats[1].mean(), 0);
  EXPECT_FALSE(cell.networks.known);
  EXPECT_EQ(analysis.blocks, 3);
  EXPECT_EQ(analysis.whole_blocks, 2);
  EXPECT_EQ(analysis.finished, 4);
  EXPECT_DOUBLE_EQ(analysis.use[0].per_move(static_cast<double>(analysis.use[0].evaluations)), 10);
  EXPECT_FALSE(analysis.cells[1][0].matches.known);
  const auto json = nlohmann::json::parse(Report(table, {}).json());
  EXPECT_EQ(json["failures"][0]["error"], "it broke");
  EXPECT_EQ(json["players"][0]["games"][0]["wins"], 2);
  EXPECT_TRUE(json["players"][1]["games"][0]["mean"].is_null());
  EXPECT_TRUE(json["paper"].empty());
}

TEST(Report, MeansArePooledOverMatchesAndPlayersWithoutAGameStandApart) {
  StudyTable table = MadeStudy{}.table();
  std::erase_if(table.rows, [](const StudyRow& row) { return row.player == 1 && row.game == 0; });
  const Analysis analysis = analyse(table, 1, 100);
  ASSERT_EQ(analysis.pools.size(), 2u);
  EXPECT_EQ(analysis.pools[0].rows.size(), 3u);
  EXPECT_EQ(analysis.pools[1].rows.size(), 4u);
  EXPECT_EQ(analysis.pools[1].games, (std::vector<int>{1, 2}));
  for (const auto& row : analysis.pools[0].rows) {
    double sum = 0, count = 0, parity_sum = 0;
    for (const StudyRow& match : table.rows)
      if (match.player == row.player) {
        sum += match.gain[match.seat];
        parity_sum += parity(table.games[static_cast<std::size_t>(match.game)].players);
        count += 1;
      }
    EXPECT_NEAR(row.matches.mean, sum / count, 1e-12);
    EXPECT_NEAR(row.networks.mean, sum / count, 1e-12);
    EXPECT_NEAR(row.parity, parity_sum / count, 1e-12);
  }
  EXPECT_TRUE(
      std::is_sorted(analysis.pools[0].rows.begin(), analysis.pools[0].rows.end(),
                     [](const auto& a, const auto& b) { return a.matches.mean > b.matches.mean; }));
}

TEST(Report, ComparesWithThePaperByName) {
  const StudyTable table = MadeStudy{}.table();
  const Paper paper = read_paper(kPaper);
  const Analysis analysis = analyse(table, 1, 100);
  const auto comparisons = compare(table, analysis, paper);
  ASSERT_EQ(comparisons.size(), 2u);
  const Comparison& ten = closest(comparisons, table);
  EXPECT_EQ(ten.experiment->seconds, 10);
  EXPECT_EQ(ten.games, (std::vector<int>{0, 1}));  // othello is not the paper's
  ASSERT_EQ(ten.rows.size(), 3u);                  // nor is the newcomer
  EXPECT_NEAR(ten.rows[0].paper, (-0.12 * 3600 + 0.01 * 2700) / 6300, 1e-12);
  EXPECT_FALSE(ten.rows[0].printed.known);
  EXPECT_TRUE(ten.other_boards);
  EXPECT_EQ(ten.pooled.players, 3);
  StudyTable one_second = table;
  one_second.budget = "seconds=1";
  one_second.seconds = 1;
  EXPECT_EQ(closest(comparisons, one_second).experiment->seconds, 1);
}

// Name of the tag that begins at page[at] == '<', with the '/' of an end; moves `at` behind its
// '>'. Quoted text may hold anything but the quote; outside of quotes there is no '<'. "" for a '<'
// that begins no tag.
std::string next_tag(const std::string& page, std::size_t& at, bool& alone) {
  std::string name;
  std::size_t k = at + 1;
  while (k < page.size() &&
         (std::isalnum(static_cast<unsigned char>(page[k])) || page[k] == '/' || page[k] == '!'))
    name += page[k++];
  bool quoted = false;
  for (; k < page.size() && (quoted || page[k] != '>'); ++k) {
    if (page[k] == '<') return "";
    if (page[k] == '"') quoted = !quoted;
  }
  alone = page[k - 1] == '/' || name == "meta" || name == "!doctype";
  at = k + 1;
  return k < page.size() ? name : "";
}

// Every tag is closed in order; nothing comes from elsewhere.
void expect_well_formed(const std::string& page) {
  std::vector<std::string> open;
  const std::size_t style = page.find("<style>"), after = page.find("</style>");
  const std::string body = page.substr(0, style) + page.substr(after + 8);
  for (std::size_t at = body.find('<'); at != std::string::npos; at = body.find('<', at)) {
    bool alone = false;
    const std::string around = body.substr(at, 60), name = next_tag(body, at, alone);
    ASSERT_FALSE(name.empty()) << around;
    if (alone) continue;
    if (name[0] != '/') {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << around;
    ASSERT_EQ("/" + open.back(), name) << around;
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
  for (const char* foreign : {"http:", "https:", "<script", "@import", "url("})
    EXPECT_EQ(page.find(foreign), std::string::npos) << foreign;
}

TEST(Report, HtmlIsOneWellFormedPage) {
  MadeStudy made;
  made.fail_every = 40;
  made.players[3] = "new <comer> & \"co\"";
  const StudyTable table = made.table();
  const Report report(table, quick());
  expect_well_formed(report.html());
  for (const char* id : {"means", "games", "intervals", "seats", "ratings", "paper", "use",
                         "failures", "records", "notes"}) {
    EXPECT_NE(report.html().find("<section id=\"" + std::string(id) + "\""), std::string::npos)
        << id;
    EXPECT_NE(report.html().find("href=\"#" + std::string(id) + "\""), std::string::npos) << id;
  }
  EXPECT_NE(report.html().find("href=\"../records/1.sgf\""), std::string::npos);
  EXPECT_NE(report.html().find("x&lt;y&gt;"), std::string::npos);
  EXPECT_EQ(report.html().find("<comer>"), std::string::npos);
  EXPECT_EQ(report.html().find("nan"), std::string::npos);
  EXPECT_NE(report.html().find("too narrow"), std::string::npos);
}

TEST(Report, CsvHasOneWidthAndLatexThePapersShape) {
  MadeStudy made;
  made.players[3] = "a,b_c";
  made.players[2] = "";
  const StudyTable table = made.table();
  const Report report(table, quick());
  std::istringstream lines(report.csv());
  std::string line;
  int count = 0;
  for (; std::getline(lines, line); ++count) {
    int commas = 0;
    bool quoted = false;
    for (char c : line) quoted = quoted != (c == '"'), commas += c == ',' && !quoted ? 1 : 0;
    EXPECT_EQ(commas, 20) << line;
  }
  EXPECT_EQ(count, 1 + 4 + 12);
  EXPECT_NE(report.latex().find("\\textcolor{red}{"), std::string::npos);
  EXPECT_NE(report.latex().find("Safe Unbounded $\\mathrm{Max}^{n}$"), std::string::npos);
  EXPECT_NE(report.latex().find("a,b\\_c"), std::string::npos);
  EXPECT_NE(report.latex().find("\\textpm"), std::string::npos);
  const std::string latex = report.latex();
  EXPECT_EQ(std::ranges::count(latex, '{'), std::ranges::count(latex, '}'));
}

// Tables leave the report: they say by themselves which boards and which study they are of.
TEST(Report, LatexNamesBoardsAndWhereItComesFrom) {
  MadeStudy made;
  made.players = {"maxn", "brs_plus"};
  made.strength = {0, 0.2};
  StudyTable table = made.table();
  table.file = "mine/study.json";
  table.seed = 17;
  table.computed = "cpu avx2";
  table.games[0].evaluators = {{"nets/f_00.safetensors", "0123abcd, 10 minutes"}};
  const std::string latex = Report(table, quick()).latex();
  EXPECT_NE(latex.find("3 Player Hex (side=4)"), std::string::npos) << latex;
  EXPECT_NE(latex.find("\\tiny Quadrothello}"), std::string::npos) << "the paper's own board";
  for (const char* said :
       {"% Not the paper's study: other boards", "% Study mine/study.json, seed 17",
        " Values by cpu avx2", "% quadrothello f_0: nets/f_00.safetensors"})
    EXPECT_NE(latex.find(said), std::string::npos) << said << "\n" << latex;
}

TEST(Report, AStudyThatHasJustBegun) {
  StudyTable table = MadeStudy{}.table();
  table.planned = 1000;
  for (std::size_t size : {0u, 1u, 2u, 7u, 60u}) {
    table.rows.resize(size);
    const Report report(table, quick());
    expect_well_formed(report.html());
    EXPECT_NE(report.text().find("of 1,000 matches"), std::string::npos);
    EXPECT_EQ(all_of(report).find("nan"), std::string::npos);
    table = MadeStudy{}.table();
    table.planned = 1000;
  }
}

TEST(Report, EverythingFailed) {
  StudyTable table = MadeStudy{}.table();
  for (StudyRow& row : table.rows) row.error = "no network";
  const Report report(table, quick());
  expect_well_formed(report.html());
  EXPECT_NE(report.text().find("900 failed matches, the first: match 0: no network"),
            std::string::npos);
  EXPECT_NE(report.html().find("And 700 more."), std::string::npos);
}

TEST(Report, ForfeitsAreNamedAndGiveNoPoints) {
  StudyTable table = MadeStudy{}.table();
  StudyRow* row = &table.rows[7];
  const double points = analyse(table, 1, 100).cells[0][0].all.points - row->points[row->seat];
  row->forfeit = row->seat;
  row->reason = "it <crashed>";
  const Analysis analysis = analyse(table, 1, 100);
  const Tally& all = analysis.cells[0][0].all;
  EXPECT_EQ(all.forfeited, 1);
  EXPECT_EQ(all.scored, all.matches() - 1);
  EXPECT_DOUBLE_EQ(all.points, points);
  const Report report(table, quick());
  expect_well_formed(report.html());
  EXPECT_NE(report.html().find("id=\"forfeits\""), std::string::npos);
  EXPECT_NE(report.html().find("it &lt;crashed&gt;"), std::string::npos);
  const std::string first =
      "1 forfeited matches, the first: match 7: seat " + std::to_string(row->seat + 1);
  EXPECT_NE(report.text().find(first), std::string::npos) << report.text();
  EXPECT_NE(report.markdown().find("## Forfeited matches"), std::string::npos);
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json["forfeits"][0]["reason"], "it <crashed>");
  EXPECT_EQ(json["forfeits"][0]["forfeited_by"], row->seat + 1);
  EXPECT_EQ(json["players"][0]["games"][0]["forfeited"], 1);
  EXPECT_NEAR(json["players"][0]["games"][0]["points"].get<double>(), points / all.scored, 1e-6);
}

TEST(Report, OneMatchEachTellsNobodyApart) {
  StudyTable table = MadeStudy{}.table();
  std::erase_if(table.rows, [](const StudyRow& row) {
    return row.i != 0 || row.j != 0 || row.seat != 0 || row.game != 0;
  });
  for (StudyRow& row : table.rows) row.gain[0] = row.player == 1 ? 1 : -1;
  const Analysis analysis = analyse(table, 1, 100);
  for (const auto& of_player : analysis.cells) {
    EXPECT_FALSE(of_player[0].matches.known);
    EXPECT_EQ(of_player[0].rank, 0);
  }
  const Report report(table, quick());
  EXPECT_NE(report.html().find("−100.0</td>"), std::string::npos) << "the mean alone";
  EXPECT_EQ(all_of(report).find("± 0.0"), std::string::npos);
}

TEST(Report, AlwaysWinningHasABoundedRating) {
  StudyTable table = MadeStudy{}.table();
  for (StudyRow& row : table.rows)
    if (row.player == 3)
      row.gain = one_winner(row.seat, table.games[static_cast<std::size_t>(row.game)].players);
  const Report report(table, quick());
  EXPECT_NE(report.markdown().find("| newcomer | > +"), std::string::npos);
}

TEST(Report, RanksComeFromPairedDifferences) {
  MadeStudy made;
  made.functions = 12;
  StudyTable table = made.table();
  // "newcomer" plays as the first player does, and wins two matches of a hundred more
  std::vector<StudyRow> rows;
  for (const StudyRow& row : table.rows)
    if (row.player == 0) rows.push_back(row);
  std::erase_if(table.rows, [](const StudyRow& row) { return row.player == 3; });
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].player = 3;
    rows[k].match += 100'000;
    const int players = table.games[static_cast<std::size_t>(rows[k].game)].players;
    if (k % 50 == 7) rows[k].gain = one_winner(rows[k].seat, players);
    table.rows.push_back(rows[k]);
  }
  const auto analysis = analyse(table, 1, 100);
  const Pool& pool = analysis.pools[0];
  const auto at = [&](int player) {
    return static_cast<std::size_t>(std::ranges::find(pool.rows, player, &PoolResult::player) -
                                    pool.rows.begin());
  };
  const Interval d = pool.differences[at(3)][at(0)];
  EXPECT_NEAR(d.mean, pool.rows[at(3)].matches.mean - pool.rows[at(0)].matches.mean, 1e-12);
  EXPECT_GT(d.low, 0) << "the difference is known far better than the means";
  EXPECT_LT(d.radius(), pool.rows[at(0)].networks.radius() / 2);
  EXPECT_EQ(pool.rows[at(3)].rank, pool.rows[at(0)].rank);
  EXPECT_LT(pool.rows[at(3)].paired_rank, pool.rows[at(0)].paired_rank);
  for (std::size_t a = 0; a < pool.rows.size(); ++a)
    for (std::size_t b = 0; b < pool.rows.size(); ++b)
      EXPECT_TRUE(!pool.differences[a][b].known || pool.differences[a][b].low <= 0 ||
                  pool.rows[a].paired_rank < pool.rows[b].paired_rank)
          << a << " " << b;
}

TEST(Report, ByGamesStandsWhereThereAreGamesEnough) {
  MadeStudy made;
  const auto count = [](const std::string& text, std::string_view what) {
    std::size_t out = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++out;
    return out;
  };
  for (const std::size_t there : {0u, 1u}) {
    const StudyTable table = made.table();
    const Report report(table, quick());
    EXPECT_EQ(count(report.text(), "by games\n"), there);
    EXPECT_EQ(count(report.markdown(), "| by games |"), there);
    EXPECT_EQ(count(report.html(), ">by games</th>"), there);
    made.games.push_back("threehex");
    made.seats.push_back(3);
  }
}

TEST(Report, HasThePapersRowsAndTwoBudgets) {
  MadeStudy made;
  made.players = {"safe_unbounded_maxn", "maxn",        "maxn_k2", "maxn_k6",
                  "mcts_sqrt2",          "mcts_sqrt2_4"};
  made.strength = {0.6, 0, -0.2, 0.4, -0.9, -0.3};
  made.games = {"quadrothello", "fish"};
  made.seats = {4, 3};
  const StudyTable table = made.table();
  made.budget = "evals=20";
  made.seed = 2;
  const StudyTable other = made.table();
  ReportSettings settings = quick();
  settings.beside = &other;
  const Report report(table, settings);
  const auto json = nlohmann::json::parse(report.json());
  const auto names = [&](int k) {
    std::vector<std::string> out;
    for (const auto& row : json["paper_tables"][k]["players"]) out.push_back(row["name"]);
    std::ranges::sort(out);
    return out;
  };
  ASSERT_EQ(json["paper_tables"].size(), 3u) << "without batching, games of BRS, all";
  EXPECT_EQ(names(0), (std::vector<std::string>{"mcts_sqrt2_4"})) << "the best C";
  EXPECT_EQ(names(2), (std::vector<std::string>{"maxn", "maxn_k6", "safe_unbounded_maxn"}));
  EXPECT_EQ(json["paper_tables"][1]["games"].size(), 1u) << "quadrothello alone is one of BRS";
  EXPECT_EQ(json["beside"]["players"].size(), 6u);
  EXPECT_EQ(json["beside"]["budget"], "evals=20");
  for (const std::string& text : {report.html(), report.markdown()}) {
    EXPECT_NE(text.find("best C"), std::string::npos);
    EXPECT_NE(text.find("Two budgets"), std::string::npos);
    EXPECT_NE(text.find("Not the paper"), std::string::npos) << "the banner";
    EXPECT_NE(text.find("a budget of evals=200"), std::string::npos);
  }
}

TEST(Report, TheBannerNamesOtherRulesAndBudgets) {
  MadeStudy made;
  made.games = {"blokus"};
  made.seats = {4};
  StudyTable table = made.table();
  table.players[0].budget = "evals=7";
  table.opening = 4;
  for (auto& game : table.games) game.evaluators = {{"nets/f_00.safetensors", "0123abcd"}};
  const auto unlike = nlohmann::json::parse(Report(table, quick()).json())["unlike_paper"].dump();
  EXPECT_NE(unlike.find("blokus for blokus(score=pieces)"), std::string::npos) << unlike;
  EXPECT_NE(unlike.find("budgets of their own"), std::string::npos) << unlike;
  const Report report(table, quick());
  for (const std::string& text : {report.markdown(), report.text(), report.latex()})
    EXPECT_NE(text.find("evals=200 (" + table.players[0].name.substr(0, 4)), std::string::npos)
        << text;
  EXPECT_NE(unlike.find("4 random moves first"), std::string::npos) << unlike;
  EXPECT_NE(unlike.find("other networks than the paper's"), std::string::npos) << unlike;
}

TEST(Report, OpeningsThatWereCutShortAreSaid) {
  StudyTable table = MadeStudy{}.table();
  for (auto& row : table.rows) {
    row.length = 9;
    row.use = {};
    row.use[1].moves = 5;
  }
  table.rows[3].use[0].moves = table.rows[7].use[0].moves = 1;
  table.opening = 4;
  const Report report(table, quick());
  for (const std::string& text : {report.text(), report.markdown(), report.html()})
    EXPECT_NE(text.find("In 2 of these matches the random opening of 4 moves was cut short"),
              std::string::npos)
        << text;
  table.opening = 3;
  EXPECT_EQ(Report(table, quick()).text().find("cut short"), std::string::npos);
}

TEST(Report, ColoursFromTheBenchmarksOwnRow) {
  StudyTable table = MadeStudy{}.table();
  const auto level = [&] {
    return nlohmann::json::parse(Report(table, quick()).json())["games"][0]["level"].get<double>();
  };
  EXPECT_NEAR(level(), parity(4), 1e-6);
  table.benchmark.spec = table.players[2].spec;
  EXPECT_NEAR(level(), analyse(table, 1, 100).cells[2][0].matches.mean, 1e-6);
}

TEST(Report, RefusesTablesThatMakeNoSense) {
  StudyTable table = MadeStudy{}.table();
  StudyTable empty = table;
  empty.games.clear();
  EXPECT_THROW(Report(empty, quick()), Error);
  empty = table;
  empty.players.clear();
  EXPECT_THROW(Report(empty, quick()), Error);
  table.rows[0].game = 9;
  EXPECT_THROW(Report(table, quick()), Error);
  const StudyTable made_up = MadeStudy{}.table();
  ReportSettings settings = quick();
  settings.paper_file = "no/such.json";
  EXPECT_THROW(Report(made_up, settings), Error);
  settings = quick();
  settings.resamples = 0;
  EXPECT_THROW(Report(made_up, settings), Error);
}

}  // namespace
}  // namespace polymax::report::report_test
