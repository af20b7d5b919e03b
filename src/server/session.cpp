#include "server/session.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "core/json.hpp"
#include "server/error.hpp"

namespace polymax::server {

namespace {

// Each can be made.
std::vector<Seat> read_seats(const std::vector<std::string>& texts, const AnyGame& game,
                             const House& house) {
  if (texts.size() != static_cast<std::size_t>(game.players()))
    throw Error("the game has " + std::to_string(game.players()) + " seats, " +
                std::to_string(texts.size()) + " are given");
  std::vector<Seat> out;
  for (const auto& text : texts) {
    out.push_back(read_seat(text, game, house));
    check_seat(out.back(), game);
  }
  return out;
}

// Rules are const: all matches of one game share them.
std::shared_ptr<const AnyGame> shared_game(const std::string& text) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const AnyGame>> open;
  std::shared_ptr<const AnyGame> game = catalog::open_game(text);
  const std::lock_guard lock(mutex);
  std::erase_if(open, [](const auto& known) { return known.second.expired(); });
  auto& known = open[game->spec()];
  if (auto first = known.lock()) return first;
  known = game;
  return game;
}

}  // namespace

Truth Truth::read(const Json& json, const Limits& limits) {
  if (!json.is_object()) throw Error("a match is an object with 'game'");
  check_keys(json, {"game", "seed", "seats", "moves", "resigned", "paused"});
  Truth out;
  out.game = text_at(json, "game");
  if (out.game.size() > limits.spec_length) throw Error("the text of the game is too long");
  if (const Json* seed = json.find("seed")) out.seed = read_exact(*seed, "seed");
  out.seats = texts_at(json, "seats", kMaxPlayers);
  out.moves = texts_at(json, "moves", limits.undone_moves);
  if (const Json* seat = json.find("resigned"); seat && !seat->is_null()) {
    if (!seat->is_integer()) throw Error("'resigned' must be a seat");
    out.resigned = seat->get<int>();
  }
  if (json.contains("paused")) out.paused = bool_at(json, "paused");
  return out;
}

Session::Session(std::string id, const Truth& truth, const House& house)
    : id_(std::move(id)),
      house_(house),
      game_(shared_game(truth.game)),
      shapes_(lays_shapes(*game_)),
      seed_(truth.seed),
      match_(game_->start(truth.seed)) {
  auto texts = truth.seats;
  if (texts.empty()) {
    texts.assign(static_cast<std::size_t>(game_->players()), "casual");
    texts[0] = "human";
  }
  seats_ = read_seats(texts, *game_, house_);
  for (const auto& move : truth.moves) {
    if (match_->over()) throw Error("the game is over before the move '" + move + "'");
    movers_.push_back(match_->to_move());
    match_->play(move);
  }
  if (truth.resigned >= game_->players()) throw Error("'resigned' is no seat of this game");
  resigned_ = std::max(-1, truth.resigned);
  paused_ = truth.paused;
  assessed_.resize(match_->history().size() + 1);
  changed();
}

// ---- what people do

void Session::play(const std::string& move, std::optional<std::size_t> ply) {
  Lock lock(mutex_);
  if (match_->over() || resigned_ >= 0) throw Refused(409, "the match is over");
  if (ply && *ply != match_->history().size())
    throw Refused(
        409, "the match has moved on: it is at ply " + std::to_string(match_->history().size()));
  const int mover = match_->to_move();
  const std::string whole = match_->match_move(move);
  // the same move once more keeps what follows for redo
  if (!undone_.empty() && undone_.back() == whole)
    undone_.pop_back();
  else
    undone_.clear();
  match_->play(whole);
  movers_.push_back(mover);
  moved();
}

void Session::undo() {
  Lock lock(mutex_);
  if (resigned_ >= 0) {
    resigned_ = -1;
    return changed();
  }
  std::size_t ply = match_->history().size();
  if (ply == 0) throw Refused(409, "nothing to undo");
  const auto person = [&](std::size_t at) {
    return seats_[static_cast<std::size_t>(movers_[at])].person();
  };
  const bool people = std::ranges::any_of(seats_, &Seat::person);
  do --ply;
  while (people && ply > 0 && !person(ply));
  if (!people || !person(ply)) paused_ = true;  // an engine would play at once again
  start_at(ply);
}

void Session::redo() {
  Lock lock(mutex_);
  if (undone_.empty()) throw Refused(409, "nothing to redo");
  do {
    movers_.push_back(match_->to_move());
    match_->play(undone_.back());
    undone_.pop_back();
  } while (!undone_.empty() && !match_->over() && engine_to_move());
  moved();
}

void Session::go_to(std::size_t ply) {
  Lock lock(mutex_);
  const std::size_t all = match_->history().size() + undone_.size();
  if (ply > all) throw Error("the match has " + std::to_string(all) + " moves");
  if (ply < match_->history().size()) {
    paused_ = true;
    return start_at(ply);
  }
  while (match_->history().size() < ply) {
    movers_.push_back(match_->to_move());
    match_->play(undone_.back());
    undone_.pop_back();
  }
  moved();
}

void Session::start_at(std::size_t ply) {
  while (match_->history().size() > ply) {
    if (undone_.size() < house_.limits.undone_moves) undone_.push_back(match_->history().back());
    match_->undo();
    movers_.pop_back();
  }
  resigned_ = -1;
  moved();
}

void Session::set_seats(const std::vector<std::string>& texts) {
  auto seats = read_seats(texts, *game_, house_);
  Lock lock(mutex_);
  seats_ = std::move(seats);
  if (running(Job::Kind::move).ticket != 0) forget("thought");
  cancel(Job::Kind::move);
  changed();
}

void Session::pause(bool paused) {
  Lock lock(mutex_);
  paused_ = paused;
  error_.clear();
  if (paused && running(Job::Kind::move).ticket != 0) {
    cancel(Job::Kind::move);
    forget("thought");
  }
  changed();
}

void Session::play_now() {
  Lock lock(mutex_);
  Running& move = running(Job::Kind::move);
  if (move.ticket == 0) return;
  move.now = true;
  move.stop.request_stop();
}

void Session::resign() {
  Lock lock(mutex_);
  if (match_->over() || resigned_ >= 0) throw Refused(409, "the match is over");
  const auto person = std::ranges::find_if(seats_, &Seat::person);
  if (person == seats_.end()) throw Refused(409, "no person plays here");
  // the person to move, or the first one
  const auto mover = static_cast<std::size_t>(match_->to_move());
  resigned_ =
      seats_[mover].person() ? static_cast<int>(mover) : static_cast<int>(person - seats_.begin());
  moved();
}

void Session::hint() {
  auto seat = strongest(*game_, house_);
  Lock lock(mutex_);
  if (match_->over() || resigned_ >= 0) throw Refused(409, "the match is over");
  hinter_ = std::move(seat);
  hint_wanted_ = true;
  changed();
}

void Session::analyse(const std::vector<std::string>& searches,
                      const std::vector<std::string>& line) {
  if (searches.size() > 2) throw Error("two searches at most");
  std::vector<Analysis> wanted;
  for (const auto& text : searches) {
    const Seat seat =
        text == "strongest" ? strongest(*game_, house_) : read_seat(text, *game_, house_);
    if (seat.person()) throw Error("a person does not analyse: name a level or a search");
    check_seat(seat, *game_);
    wanted.push_back({seat, {}, false});
  }
  auto at = game_->start(seed_);
  for (const auto& move : line) {
    if (at->over()) throw Error("the game is over before the move '" + move + "'");
    at->play(move);
  }
  if (at->over()) wanted.clear();
  Lock lock(mutex_);
  analyses_ = std::move(wanted);
  analysed_ = std::move(at);
  for (const auto* name : {"analysis0", "analysis1"}) forget(name);
  for (const auto kind : {Job::Kind::analysis0, Job::Kind::analysis1}) cancel(kind);
  changed();
}

void Session::review(bool wanted) {
  Seat seat, for_wins;
  if (wanted) {
    seat = strongest(*game_, house_);
    const bool says_gains = unit_of(seat.player, *game_) == kGain;
    const auto spec = says_gains ? std::nullopt : arena::for_wins(*game_, Spec::parse(seat.player));
    if (spec) for_wins = {seat.text, spec->text(), seat.budget};
  }
  Lock lock(mutex_);
  if (wanted) {
    reviewer_ = std::move(seat);
    win_reviewer_ = std::move(for_wins);
  }
  review_wanted_ = wanted;
  if (!wanted) cancel(Job::Kind::review);
  publish_review();
  changed();
}

void Session::set_pace(double seconds) {
  Lock lock(mutex_);
  if (!(seconds >= 0 && seconds <= 5)) throw Error("'seconds' must be 0 to 5");
  pace_ = seconds;
  not_before_ = {};
}

}  // namespace polymax::server
