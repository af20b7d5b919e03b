// A session without HTTP: what is thought about while people go elsewhere.
#include "server/session.hpp"

#include <gtest/gtest.h>

namespace polymax::server {
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
  ASSERT_TRUE(first && first->purpose == Job::Purpose::review);
  session.done(*first, verdict_for("b2"), false);
  EXPECT_EQ(event_of(session, "review")["plies"][0]["best"], "b2");
  const auto second = session.next_job();
  ASSERT_TRUE(second && second->purpose == Job::Purpose::review);
  ASSERT_EQ(second->match->history(), std::vector<std::string>{"b2"});

  session.go_to(0);
  EXPECT_TRUE(second->budget.stop.stop_requested());
  session.done(*second, verdict_for("a1"), true);  // of a ply that is no more
  session.play("a1", std::nullopt);                // another line, where a1 is taken
  session.done(*second, verdict_for("a1"), true);
  const Json plies = event_of(session, "review")["plies"];
  ASSERT_EQ(plies.size(), 2u);
  EXPECT_EQ(plies[0]["best"], "b2") << "of a position that both lines have";
  EXPECT_TRUE(plies[1].is_null()) << plies[1].dump();
  const auto third = session.next_job();
  ASSERT_TRUE(third);
  EXPECT_EQ(third->match->history(), std::vector<std::string>{"a1"}) << "it is looked at anew";
}

TEST(server_session, AnAnalysisHasItsOwnLineAndGoesOn) {
  const House house;
  Session session("id", {"tictactoe", 0, {"human", "human"}, {"b2"}, -1}, house);
  session.analyse({"maxn@evals=50"}, {"b2"});
  const auto job = session.next_job();
  ASSERT_TRUE(job && job->purpose == Job::Purpose::analysis);
  session.go_to(0);
  EXPECT_FALSE(job->budget.stop.stop_requested());
  session.done(*job, verdict_for("a1"), false);
  EXPECT_EQ(event_of(session, "analysis0")["best"], "a1");
}

}  // namespace
}  // namespace polymax::server
