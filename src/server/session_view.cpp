// What others see of a session: its state, its record, its events.
#include <algorithm>

#include "arena/record.hpp"
#include "arena/sgf.hpp"
#include "core/json.hpp"
#include "server/error.hpp"
#include "server/session.hpp"

namespace polymax::server {

namespace {

Json seat_json(const Seat& seat) {
  return {{"text", seat.text}, {"player", seat.player}, {"person", seat.person()}};
}

}  // namespace

Json Session::state_json() const {
  Json seats = Json::array();
  for (const auto& seat : seats_) seats.push_back(seat_json(seat));
  Json out{{"id", id_},
           {"version", version_ + 1},  // answers may overtake events: the larger one is newer
           {"game", game_->spec()},
           {"name", game_->name()},
           {"title", game_->about().title},
           {"points", kPointsNames[static_cast<std::size_t>(game_->points())]},
           {"max_length", game_->max_length()},
           {"shapes", shapes_},
           {"seed", exact_number(seed_)},
           {"seats", std::move(seats)},
           {"moves", match_->history()},
           {"movers", movers_},
           {"redo", std::vector<std::string>(undone_.rbegin(), undone_.rend())},
           {"resigned", resigned_ < 0 ? Json(nullptr) : Json(resigned_)},
           {"paused", paused_},
           {"hinting", hint_wanted_},
           {"error", error_},
           {"position", position_json(*game_, *match_)}};
  return out;
}

Truth Session::truth() const {
  Lock lock(mutex_);
  Truth out{game_->spec(), seed_, {}, match_->history(), resigned_, paused_};
  for (const auto& seat : seats_) out.seats.push_back(seat.text);
  return out;
}

std::string Session::state() const {
  Lock lock(mutex_);
  return published_.at("state").data;
}

std::string Session::record(const std::string& format) const {
  if (format != "json" && format != "sgf") throw Error("'format' is json or sgf");
  Lock lock(mutex_);
  std::vector<std::string> players, budgets;
  for (const auto& seat : seats_) {
    auto said = server::recorded(seat, *game_);
    players.push_back(std::move(said.player));
    budgets.push_back(std::move(said.budget));
  }
  auto out = arena::record_of(*game_, seed_, std::move(players), *match_);
  if (!std::ranges::all_of(seats_, &Seat::person)) out.budgets = std::move(budgets);
  if (resigned_ >= 0) arena::end_by_forfeit(out, resigned_, "resigned");
  return arena::records_text({std::move(out)}, "match." + format);
}

// ---- events: the newest of each name, so that a slow reader misses steps, never the end

void Session::publish(const std::string& name, Json data) {
  published_[name] = {++version_, text_of(data)};
  changed_.notify_all();
}

void Session::forget(const std::string& name) {
  if (published_.contains(name)) publish(name, nullptr);
}

void Session::changed() {
  publish("state", state_json());
}

void Session::moved() {
  hint_wanted_ = false;
  forget("hint");
  // analyses have a line of their own
  for (const auto kind : {Job::Kind::move, Job::Kind::hint, Job::Kind::review}) cancel(kind);
  assessed_.resize(match_->history().size() + 1);
  publish_review();
  changed();
}

// Of a position that was reviewed, or the end.
std::optional<arena::Outlook> Session::outlook(std::size_t ply) const {
  if (match_->over() && ply == match_->history().size())
    return arena::Outlook{match_->points(), arena::chances_of(match_->gain(), game_->players())};
  const auto& assessed = assessed_[ply];
  if (!assessed || !assessed->reviewed) return std::nullopt;
  return arena::Outlook{assessed->value, assessed->chances};
}

// What the move played there threw away: as reviews of records say it.
Json Session::grade_json(std::size_t ply) const {
  if (ply >= match_->history().size()) return nullptr;
  const auto before = outlook(ply), after = outlook(ply + 1);
  if (!before || !after) return nullptr;
  const auto move =
      arena::judged(match_->history()[ply], movers_[ply], assessed_[ply]->best, *before, *after);
  if (!move.chances_lost) return nullptr;
  return {{"grade", arena::kGradeNames[static_cast<std::size_t>(move.grade)]},
          {"lost", *move.chances_lost}};
}

void Session::publish_review() {
  Json plies = Json::array();
  for (std::size_t ply = 0; ply < assessed_.size(); ++ply) {
    const auto& assessed = assessed_[ply];
    if (!assessed) {
      plies.push_back(nullptr);
      continue;
    }
    plies.push_back({{"value", seats_json(assessed->value, game_->players())},
                     {"best", assessed->best},
                     {"proof", assessed->proof},
                     {"by", assessed->by},
                     {"unit", unit_of(assessed->by, *game_)},
                     {"reviewed", assessed->reviewed},
                     {"move", grade_json(ply)}});
  }
  publish("review",
          {{"plies", std::move(plies)}, {"running", review_wanted_ && unreviewed().has_value()}});
}

std::vector<Session::Event> Session::wait_for_events(std::uint64_t& seen, double seconds) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                    [&] { return version_ > seen || ended_; });
  if (ended_) throw Refused(404, "this match has ended");
  std::vector<Event> out;
  for (const auto& [name, published] : published_)
    if (published.version > seen) out.push_back({name, published.data});
  seen = version_;
  return out;
}

void Session::open_stream() {
  ++streams_;
}

void Session::close_stream() {
  touch();
  --streams_;
}

void Session::touch() {
  touched_ = Clock::now();
}

bool Session::watched(double seconds) const {
  return streams_ > 0 || Clock::now() - touched_.load() < std::chrono::duration<double>(seconds);
}

std::optional<Clock::time_point> Session::left() const {
  return streams_ > 0 ? std::nullopt : std::optional(touched_.load());
}

bool Session::finished() const {
  Lock lock(mutex_);
  return match_->over() || resigned_ >= 0;
}

}  // namespace polymax::server
