// The page of a run of learning from made-up logs: what is drawn, numbers counted by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/curve_svg.hpp"
#include "report/training_report.hpp"
#include "tests/arena/made_strength.hpp"
#include "tests/count.hpp"
#include "tests/learn/made_log.hpp"

namespace polymax::report::training_test {
namespace {

using arena::made_strength;
using learn::read_training, learn::made_log::kRun, learn::made_log::line, learn::made_log::log,
    learn::made_log::with_different;

TEST(TrainingPage, NumbersThatAreMissingAreNotDrawn) {
  const auto run = read_training(kRun, "{\"matches\":5,\"loss\":null}\n", "DIR");
  const std::string page = training_html({run, {}, {}, 0});
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(count(page, "Nothing to draw yet."), 10u);  // every plot
}

TEST(TrainingPage, HasEveryCurveAndItsNumbers) {
  const TrainingReport report{
      read_training(kRun, log(), "DIR"), {made_strength(400, "mcts", 0.5)}, {}, 2};
  const std::string page = training_html(report);
  for (const char* title : {"Loss", "Learning rate", "Positions valued", "Device", "By ply",
                            "Over the run", "Seat balance", "Game length", "Solved roots"})
    EXPECT_EQ(count(page, std::string("aria-label=\"") + title + "\""), 1u) << title;
  for (const char* text :
       {"<b>400</b><span>matches", "<b>400k</b><span>positions valued", "<b>10 min</b>",
        "<b>0.05</b><span>loss at the end", "<b>2</b><span>earlier networks", "seat 3", "draws"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  // means over the run: 50 %, 25 %, 0 %, draws 25 %, lengths 21 .. 60
  EXPECT_NE(page.find("<td>50.0 %</td><td>25.0 %</td><td>0.0 %</td><td>25.0 "
                      "%</td><td>40.5</td><td>40.0 %</td>"),
            std::string::npos);
  EXPECT_NE(page.find("matches 10\nseat 1: 50\nseat 2: 25\nseat 3: 0\ndraws: 25"),
            std::string::npos);
  EXPECT_NE(page.find("part of the match (%) 15\nto match 100: 8\nto match 200: 8"),
            std::string::npos);
  EXPECT_NE(page.find("[40.0, 60.0]"), std::string::npos);
  EXPECT_NE(page.find("parity −33.3"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(count(page, "<svg"), count(page, "</svg>"));
  EXPECT_EQ(count(page, "<section"), count(page, "</section>"));
  EXPECT_EQ(count(page, "<div"), count(page, "</div>"));
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page, training_html(report));
}

TEST(TrainingPage, SaysWhatLearnsAndWhen) {
  const auto run = read_training(kRun, log(), "DIR");
  std::string page = training_html({run, {}, {}, 0, "8 channels, 4 blocks"});
  EXPECT_NE(page.find("network <code>8 channels, 4 blocks: channels=8</code>"), std::string::npos);
  EXPECT_NE(page.find("matches; minutes of the run"), std::string::npos);
  // match 200 of 400 came after 300 of 600 seconds
  EXPECT_EQ(run.seconds_at(200), 300);
  EXPECT_EQ(run.seconds_at(205), 307.5);
  EXPECT_EQ(run.seconds_at(1000), 600);
  EXPECT_NE(page.find(">200</text>"), std::string::npos);
  EXPECT_NE(page.find(">5</text>"), std::string::npos) << "minutes";
  std::string bare = kRun;
  bare.replace(bare.find("channels=8"), 10, "");
  page = training_html({read_training(bare, log(), "DIR"), {}, {}, 0, "16 channels, 2 blocks"});
  EXPECT_NE(page.find("network <code>16 channels, 2 blocks</code>"), std::string::npos);
}

TEST(TrainingPage, TellsThatSelfPlayRepeatsItself) {
  const std::string well = with_different(line(10, 1, 20), 0.9),
                    bad = with_different(line(20, 1, 20), 0.1);
  const auto page_of = [](const std::string& text) {
    return training_html({read_training(kRun, text, "DIR"), {}, {}, 0});
  };
  EXPECT_EQ(page_of(well).find("repeats itself: the"), std::string::npos);
  EXPECT_EQ(page_of(line(10, 1, 20)).find("repeats itself: the"), std::string::npos);
  EXPECT_NE(page_of(well + bad).find("the last 40 matches ended in 4 different positions"),
            std::string::npos);
  const TrainingReport report{read_training(kRun, well + bad, "DIR"), {}, {}, 0};
  EXPECT_NE(training_text(report).find("Self-play repeats itself: the last 40 matches ended in"),
            std::string::npos);
  EXPECT_NE(nlohmann::json::parse(training_json(report))["collapse"], "");
}

TEST(TrainingPage, AFewRowsAreNotBlownUpAndLongNamesNotCut) {
  const auto run = read_training(kRun, log(), "DIR");
  const std::string name(48, 'x');
  const std::string page = training_html({run, {made_strength(400, name, 0.5)}, {}, 0});
  EXPECT_NE(page.find(">" + name + "</text>"), std::string::npos);
  EXPECT_EQ(page.find("<svg class=\"plot\" viewBox"), std::string::npos)
      << "each has its own width";
  EXPECT_NE(page.find("<svg class=\"plot\" style=\"max-width:"), std::string::npos);
}

TEST(TrainingPage, EntriesWithoutMatchesDoNotPullCurvesDown) {
  std::string text;
  for (int k = 1; k <= 5; ++k) text += line(10 * k, 1, 30) + line(10 * k, 1, 0);
  const std::string page = training_html({read_training(kRun, text, "DIR"), {}, {}, 0});
  EXPECT_NE(page.find("<td>30.0</td>"), std::string::npos);
  EXPECT_EQ(page.find("moves a match: 0"), std::string::npos);
  EXPECT_NE(page.find("moves a match: 30"), std::string::npos);
}

TEST(TrainingPage, EscapesWhatOthersWrote) {
  std::string run = kRun;
  run.replace(run.find("channels=8"), 10, "<b>&'net");
  auto strange = made_strength(400, "<img src=x>", 0.5);
  strange.budget = "<budget>";
  const std::string page =
      training_html({read_training(run, log(), "DIR"), {strange}, {"<note> & more"}, 0});
  for (const char* raw : {"<b>&'net", "<img", "<budget>", "<note>"})
    EXPECT_EQ(page.find(raw), std::string::npos) << raw;
  for (const char* text :
       {"&lt;b&gt;&amp;", "&lt;img src=x&gt;", "&lt;budget&gt;", "&lt;note&gt; &amp; more"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

TEST(TrainingPage, AScoreWithoutAnIntervalIsADot) {
  auto once = made_strength(400, "mcts", 0.5);
  once.score = {1, 0, 0, false};
  const std::string page = training_html({read_training(kRun, log(), "DIR"), {once}, {}, 0});
  EXPECT_EQ(count(page, "class=\"inner\""), 1u);
}

TEST(TrainingPage, StrengthOverTheRunNeedsTwoNetworks) {
  const auto run = read_training(kRun, log(), "DIR");
  const std::string title = "Networks by matches learned from";
  EXPECT_NE(training_html({run, {}, {}, 0}).find("No match for strength was played yet."),
            std::string::npos);
  EXPECT_EQ(training_html({run, {made_strength(400, "mcts", 0.5)}, {}, 0}).find(title),
            std::string::npos);
  const std::string page = training_html(
      {run, {made_strength(100, "mcts", -0.5), made_strength(400, "mcts", 0.5)}, {}, 1});
  EXPECT_NE(page.find(title), std::string::npos);
  EXPECT_NE(page.find("matches 100\nmcts, evals=100: −50 [−60, −40]"), std::string::npos);
  EXPECT_NE(page.find("The network after 400 matches"), std::string::npos);
}

TEST(TrainingJson, HasTheNumbers) {
  const TrainingReport report{
      read_training(kRun, log(), "DIR"), {made_strength(400, "mcts", 0.5)}, {"a note"}, 2};
  const auto out = nlohmann::json::parse(training_json(report));
  EXPECT_EQ(out["game"], "hex3(side=4)");
  EXPECT_EQ(out["entries"].size(), 40u);
  EXPECT_EQ(out["entries"][39]["loss"], 0.05);
  EXPECT_EQ(out["entries"][39]["new_matches"], 10);
  EXPECT_EQ(out["strength"][0]["interval"][0], 0.4);
  EXPECT_EQ(out["notes"][0], "a note");
}

TEST(Curves, ThinningKeepsMeansAndSmoothingKeepsALine) {
  std::vector<CurvePoint> points;
  for (int k = 0; k < 1000; ++k) points.push_back({k * 1.0, 2.0 * k, 1, {}});
  points[7].y = NAN;
  points[8].weight = 0;
  const auto thin = thinned(points, 50);
  ASSERT_EQ(thin.size(), 50u);
  double weight = 0, sum = 0;
  for (const auto& point : thin) {
    EXPECT_NEAR(point.y, 2 * point.x, 1e-9);
    weight += point.weight, sum += point.weight * point.y;
  }
  EXPECT_EQ(weight, 998);
  EXPECT_NEAR(sum, 999.0 * 1000 - 14 - 16, 1e-6);
  const auto smooth = smoothed(thin);
  EXPECT_NEAR(smooth[25].y, thin[25].y, 1);
  EXPECT_EQ(thinned({}, 10).size(), 0u);
}

TEST(Curves, BriefNumbers) {
  EXPECT_EQ(brief(0), "0");
  EXPECT_EQ(brief(9500), "9,500");
  EXPECT_EQ(brief(12500), "12.5k");
  EXPECT_EQ(brief(4.2e6), "4.20M");
  EXPECT_EQ(brief(3e9), "3G");
}

}  // namespace
}  // namespace polymax::report::training_test
