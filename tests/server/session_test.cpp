// A session without HTTP: what is thought about while people go elsewhere.
#include "server/session.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <thread>

#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::server::session_test {
namespace {

// The newest event of a name.
Json event_of(const Session& session, const std::string& name) {
  std::uint64_t seen = 0;
  Json out;
  for (const auto& event : session.wait_for_events(seen, 0))
    if (event.name == name) out = Json::parse(event.data);
  return out;
}

AnyVerdict verdict_for(const std::string& best) {
  AnyVerdict out;
  out.best = best;
  return out;
}

TEST(server_session, AReviewOfAnotherLineIsNotTakenForThisOne) {
  const House house;
  Session session("id", {"tictactoe", 0, {"human", "human"}, {"b2", "a1", "c1"}, -1}, house);
  session.review(true);
  const auto first = session.next_job();
  ASSERT_TRUE(first && first->kind == Job::Kind::review);
  session.done(*first, verdict_for("b2"));
  EXPECT_EQ(event_of(session, "review")["plies"][0]["best"], "b2");
  const auto second = session.next_job();
  ASSERT_TRUE(second && second->kind == Job::Kind::review);
  ASSERT_EQ(second->match->history(), std::vector<std::string>{"b2"});

  session.go_to(0);
  EXPECT_TRUE(second->budget.stop.stop_requested());
  session.done(*second, verdict_for("a1"),
               Session::Thought::interrupted);  // of a ply that is no more
  session.play("a1", std::nullopt);             // another line, where a1 is taken
  session.done(*second, verdict_for("a1"), Session::Thought::interrupted);
  const Json plies = event_of(session, "review")["plies"];
  ASSERT_EQ(plies.size(), 2u);
  EXPECT_EQ(plies[0]["best"], "b2") << "of a position that both lines have";
  EXPECT_TRUE(plies[1].is_null()) << plies[1].dump();
  const auto third = session.next_job();
  ASSERT_TRUE(third);
  EXPECT_EQ(third->match->history(), std::vector<std::string>{"a1"}) << "it is looked at anew";
}

// A review looks at a position while an engine thinks about its move there.
TEST(server_session, TheMovesOfEnginesLeaveAReviewAsItIs) {
  const House house;
  Session session("id", {"tictactoe", 0, {"mcts@evals=10", "human"}, {}, -1}, house);
  const auto move = session.next_job();
  ASSERT_TRUE(move && move->kind == Job::Kind::move);
  session.review(true);
  const auto review = session.next_job();
  ASSERT_TRUE(review && review->kind == Job::Kind::review);
  session.done(*review, verdict_for("b2"));
  auto played = verdict_for("a1");
  played.cost.evaluations = 10;
  session.done(*move, played);
  EXPECT_EQ(session.truth().moves, std::vector<std::string>{"a1"});
  const Json first = event_of(session, "review")["plies"][0];
  EXPECT_EQ(first["best"], "b2");
  EXPECT_EQ(first["reviewed"], true);
}

TEST(server_session, WhatFailsEndsAndTheRestGoesOn) {
  const House house;
  Session session("id", {"tictactoe", 0, {"random", "human"}, {}, -1}, house);
  session.pause(true);
  session.review(true);
  session.analyse({"maxn@evals=50", "mcts@evals=50"}, {});
  std::map<Job::Kind, Job> jobs;
  while (auto job = session.next_job()) jobs.emplace(job->kind, std::move(*job));
  ASSERT_EQ(jobs.size(), 3u);
  for (const auto& [kind, job] : jobs) session.look(job, verdict_for("b2"));
  session.failed(jobs.at(Job::Kind::analysis0), "no memory");
  EXPECT_EQ(event_of(session, "analysis0")["running"], false);
  EXPECT_EQ(event_of(session, "analysis0")["best"], "b2") << "what it had found";
  EXPECT_EQ(event_of(session, "analysis1")["running"], true);
  EXPECT_EQ(event_of(session, "review")["running"], true);
  EXPECT_EQ(event_of(session, "state")["error"], "maxn: no memory");
  session.failed(jobs.at(Job::Kind::review), "no memory");
  EXPECT_EQ(event_of(session, "review")["running"], false);
  EXPECT_FALSE(session.next_job()) << "none of them begins again";
  session.done(jobs.at(Job::Kind::analysis1), verdict_for("a1"));
  EXPECT_EQ(event_of(session, "analysis1")["best"], "a1");
}

TEST(server_session, AMatchThatWasPausedIsOpenedSo) {
  const House house;
  Session before("id", {"tictactoe", 0, {"random", "human"}, {}, -1}, house);
  before.pause(true);
  Session session("other", before.truth(), house);
  EXPECT_FALSE(session.next_job());
  EXPECT_EQ(event_of(session, "state")["paused"], true);
}

TEST(server_session, AnAnalysisHasItsOwnLineAndGoesOn) {
  const House house;
  Session session("id", {"tictactoe", 0, {"human", "human"}, {"b2"}, -1}, house);
  session.analyse({"maxn@evals=50"}, {"b2"});
  const auto job = session.next_job();
  ASSERT_TRUE(job && job->kind == Job::Kind::analysis0);
  session.go_to(0);
  EXPECT_FALSE(job->budget.stop.stop_requested());
  session.done(*job, verdict_for("a1"));
  EXPECT_EQ(event_of(session, "analysis0")["best"], "a1");
}

TEST(server_session, TwoAnalysesAndAMoveAreThoughtAboutSideBySide) {
  const House house;
  Session session("id", {"tictactoe", 0, {"random", "human"}, {}, -1}, house);
  session.analyse({"maxn@evals=50", "mcts@evals=50"}, {"b2"});
  std::vector<Job> jobs;
  while (auto job = session.next_job()) jobs.push_back(std::move(*job));
  ASSERT_EQ(jobs.size(), 3u);
  for (const auto& job : jobs)
    session.done(job, verdict_for(job.kind == Job::Kind::move ? "a1" : "c3"));
  EXPECT_EQ(event_of(session, "analysis0")["by"], "maxn");
  EXPECT_EQ(event_of(session, "analysis1")["by"], "mcts");
  EXPECT_EQ(session.truth().moves, std::vector<std::string>{"a1"});
}

TEST(server_session, StoppedAReviewSaysSo) {
  const House house;
  Session session("id", {"tictactoe", 0, {"human", "human"}, {"b2"}, -1}, house);
  session.review(true);
  EXPECT_EQ(event_of(session, "review")["running"], true);
  const auto job = session.next_job();
  session.review(false);
  EXPECT_TRUE(job->budget.stop.stop_requested());
  EXPECT_EQ(event_of(session, "review")["running"], false);
}

// As arena/review.hpp judges a record.
TEST(server_session, MovesAreJudgedByTheChancesTheyThrowAway) {
  const House house;
  Session session("id", {"tictactoe", 0, {"human", "human"}, {"b2", "b1", "a1"}, -1}, house);
  session.review(true);
  for (const float first : {0.0f, 0.0f, 1.0f, 0.7f}) {  // what the first seat expects
    EXPECT_TRUE(event_of(session, "review")["running"].get<bool>());
    const auto job = session.next_job();
    ASSERT_TRUE(job && job->kind == Job::Kind::review);
    EXPECT_FALSE(job->for_wins) << "mcts says gains";
    auto verdict = verdict_for("c3");
    verdict.value = Scores{{first, -first}};
    session.done(*job, verdict);
  }
  const Json review = event_of(session, "review");
  EXPECT_FALSE(review["running"].get<bool>());
  const Json& plies = review["plies"];
  EXPECT_EQ(plies[0]["move"]["grade"], "fine");
  EXPECT_EQ(plies[1]["move"]["grade"], "blunder");
  EXPECT_EQ(plies[1]["move"]["lost"], 0.5);
  EXPECT_EQ(plies[2]["move"]["grade"], "mistake");
  EXPECT_TRUE(plies[3]["move"].is_null()) << "nothing was played there";
}

TEST(server_session, WhereValuesArePointsASecondThoughtSaysTheChances) {
  const House house;
  Session session("id", {"quadrothello", 0, {}, {}, -1}, house);
  const auto game = catalog::open_game("quadrothello");
  if (strongest(*game, house).player == "mcts") GTEST_SKIP() << "no network ships";
  session.pause(true);
  session.review(true);
  const auto points = session.next_job();
  ASSERT_TRUE(points && points->kind == Job::Kind::review && !points->for_wins);
  session.done(*points, verdict_for("a1"));
  const auto wins = session.next_job();
  ASSERT_TRUE(wins && wins->kind == Job::Kind::review && wins->for_wins);
  EXPECT_NE(wins->player.find("aim=win"), std::string::npos) << wins->player;
  session.done(*wins, verdict_for("b2"));
  const Json review = event_of(session, "review");
  EXPECT_EQ(review["plies"][0]["best"], "a1") << "the best move is that of the points";
  EXPECT_FALSE(review["running"].get<bool>());
}

// A network whose file is a pipe: the player is being made until somebody has written into it.
TEST(server_session, NobodyWaitsForPlayersThatAreMade) {
  const TemporaryFolder folder;
  House house;
  house.root = std::filesystem::canonical(folder / ".").string();
  const std::string pipe = folder / "slow.safetensors";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto opened = [&] { return open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC); };
  const auto moment = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  Session session("id", {"tictactoe", 0, {"human", "human"}, {}, -1}, house);
  std::atomic<bool> refused = false;
  std::jthread other([&] {
    EXPECT_THROW(session.set_seats({"greedy(eval=network(file=slow.safetensors))", "human"}),
                 Error);
    refused = true;
  });
  int writer = opened();
  for (; writer < 0; writer = opened()) moment();  // until it reads
  session.touch();
  session.play("b2", std::nullopt);
  EXPECT_EQ(Json::parse(session.state())["moves"].size(), 1u);
  EXPECT_FALSE(refused);
  for (; !refused; moment()) {
    if (writer >= 0) close(writer);
    writer = opened();
  }
  if (writer >= 0) close(writer);
}

}  // namespace
}  // namespace polymax::server::session_test
