// One match on a page. Its truth is small: game, seed, seats, moves, who resigned, whether engines
// pause; everything else follows from it, so a link holds a whole match and a page opens the one
// it has again after a restart of the server.
// All members may be called from any thread; none holds the lock while players are made. Searches
// do not run here: a session says what it wants thought about (next_job), one of each kind at once,
// and is told the result; thinkers.hpp does the work.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/review.hpp"
#include "catalog/any.hpp"
#include "core/deadline.hpp"
#include "server/json.hpp"
#include "server/seat.hpp"

namespace polymax::server {

struct Truth {
  std::string game;
  std::uint64_t seed = 0;
  std::vector<std::string> seats;  // empty: a person in the first, engines in the others
  std::vector<std::string> moves;
  int resigned = -1;
  bool paused = false;

  // {"game":..., "seed":..., "seats":[...], "moves":[...], "resigned":..., "paused":...}. Throws
  // Error.
  static Truth read(const Json& json, const Limits& limits);
};

// Something to think about.
struct Job {
  enum class Kind { move, hint, analysis0, analysis1, review };  // two searches side by side
  static constexpr std::size_t kKinds = 5;

  Kind kind = Kind::move;
  std::shared_ptr<const AnyGame> game;
  std::unique_ptr<AnyMatch> match;
  std::string player;
  std::uint64_t seed = 0;
  Budget budget;          // with a stop token
  bool for_wins = false;  // a review's second thought about a position, for its chances alone
  bool patient = false;   // may be interrupted when others wait, and goes on later
  std::uint64_t ticket = 0;
};

class Session {
 public:
  Session(std::string id, const Truth& truth, const House& house);

  const std::string& id() const { return id_; }

  // ---- what people do. Each throws Error when it is not possible.
  void play(const std::string& move, std::optional<std::size_t> ply);
  void undo();  // to the last position where a person moved
  void redo();
  void go_to(std::size_t ply);  // moves behind it stay for redo
  void set_seats(const std::vector<std::string>& seats);
  void pause(bool paused);
  void play_now();
  void resign();
  void hint();
  // Two searches at most; none ends the analysis. `line`: moves from the start to the position.
  void analyse(const std::vector<std::string>& searches, const std::vector<std::string>& line);
  void review(bool wanted);
  void set_pace(double seconds);

  // ---- looking
  std::string state() const;  // JSON
  Truth truth() const;
  std::string record(const std::string& format) const;  // "json" | "sgf"

  struct Event {
    std::string name, data;
  };
  // What has changed since `seen`, which moves on; waits for something for at most `seconds`.
  std::vector<Event> wait_for_events(std::uint64_t& seen, double seconds) const;
  void open_stream();
  void close_stream();
  void touch();
  bool watched(double seconds) const;             // somebody looks, or did within that time
  std::optional<Clock::time_point> left() const;  // when somebody looked last; nothing: one does
  bool finished() const;                          // no engine moves any more

  // ---- for the thinkers
  std::optional<Job> next_job();  // nothing: there is nothing to think about now
  std::optional<Clock::time_point> next_time()
      const;  // when there will be, if nobody does anything
  void look(const Job& job, const AnyVerdict& verdict);
  enum class Thought { whole, interrupted };  // one that is interrupted goes on later
  void done(const Job& job, const AnyVerdict& verdict, Thought thought = Thought::whole);
  void failed(const Job& job, const std::string& message);
  void end();  // stops what is running
  bool ended() const;

 private:
  struct Analysis {
    Seat seat;
    Cost spent;  // of the slices before
    bool over = false;
  };
  struct Assessed {  // what is kept of a verdict: thousands of sessions have one for each ply
    Scores value;
    std::string best, proof, by;
    bool reviewed = false;
    std::optional<Scores> chances;  // to win, from the review
  };
  struct ReviewStep {  // what a review thinks about next
    std::size_t ply = 0;
    bool for_wins = false;
  };
  struct Running {
    std::uint64_t ticket = 0;  // 0: nothing of this kind is being thought about
    std::stop_source stop;
    bool now = false;  // what it has found is played when it is stopped
  };

  using Lock = std::lock_guard<std::mutex>;

  // with the lock held
  void changed();  // the state: new position, seats or pause
  void moved();    // the position: searches about the old one end
  void publish(const std::string& name, Json data);
  void publish_end(const std::string& name);  // the last of this name, that nothing comes any more
  void forget(const std::string& name);
  Json state_json() const;
  bool engine_to_move() const;
  bool wants(Job::Kind kind) const;
  Job make_job(Job::Kind kind);
  Running& running(Job::Kind kind) { return running_[static_cast<std::size_t>(kind)]; }
  void cancel(Job::Kind kind);
  Analysis& analysis_of(Job::Kind kind);
  Json seen_by(const Job& job, const AnyVerdict& verdict) const;
  std::optional<ReviewStep> unreviewed() const;
  std::optional<arena::Outlook> outlook(std::size_t ply) const;
  Json grade_json(std::size_t ply) const;
  void publish_review();
  void start_at(std::size_t ply);
  void play_engine_move(const AnyVerdict& verdict);

  const std::string id_;
  const House& house_;
  const std::shared_ptr<const AnyGame> game_;
  const bool shapes_;  // moves lay whole shapes
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;

  const std::uint64_t seed_;
  std::vector<Seat> seats_;
  std::unique_ptr<AnyMatch> match_;
  std::vector<int> movers_;          // of the moves played
  std::vector<std::string> undone_;  // the last one is redone first
  int resigned_ = -1;
  bool paused_ = false;
  double pace_ = 0.35;
  std::string error_;

  // The strongest at hand when a hint or a review was wanted. Where the reviewer does not say
  // gains, another one thinks of win and loss alone; a person: nobody can.
  Seat hinter_, reviewer_, win_reviewer_;
  bool hint_wanted_ = false;
  std::vector<Analysis> analyses_;
  std::unique_ptr<AnyMatch> analysed_;
  bool review_wanted_ = false;
  std::vector<std::optional<Assessed>> assessed_;  // by ply

  struct Published {
    std::uint64_t version = 0;
    std::string data;
  };
  std::uint64_t version_ = 0;
  std::map<std::string, Published> published_;

  std::uint64_t tickets_ = 0;
  std::array<Running, Job::kKinds> running_;
  std::size_t last_kind_ = Job::kKinds - 1;
  bool ended_ = false;
  Clock::time_point not_before_{};
  // without the lock: whoever looks after all sessions waits for none
  std::atomic<int> streams_ = 0;
  std::atomic<Clock::time_point> touched_ = Clock::now();
};

}  // namespace polymax::server
