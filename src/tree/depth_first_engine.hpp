// Depth-first search to a depth that grows by one until the budget is gone; the last completed
// depth decides, or of the first one the moves that there was time for. Knows values and hashes,
// but no game: depth_first.hpp adds the positions, asked for a few times an expanded position.
//   Value    of a position at depth d, whatever order, table, windows and batches are: of a
//            finished position its points, at depth 0 the evaluator's value, else the value of the
//            kept child that Taste prefers at depth d-1
//   Table    so its entries serve the same depth only, or any greater one when every line below
//            came to its end
//   Windows  leave room for equal values of moves that come earlier in the order of generation. Of
//            moves that are not best a bound is known: their values are at most what is shown
//   Batches  children of the last level are valued in one evaluator call (child batching)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "core/fields.hpp"
#include "tree/children.hpp"
#include "tree/history.hpp"
#include "tree/meter.hpp"
#include "tree/table.hpp"

namespace polymax {

// By what moves are ordered and k-best chooses: the evaluator's values of all of them, or the prior
// of a network that knows the moves.
enum class MoveOrder { values, prior };
inline constexpr std::array<std::string_view, 2> kMoveOrderNames{"values", "prior"};

struct DepthFirstParams {
  int k = 0, memory = 1024;
  bool batch = true, table = true, leaves = false, pruning = true;
  MoveOrder order = MoveOrder::values;

  static Fields common() {
    using P = DepthFirstParams;
    return {
        field("k", &P::k, "moves kept at every position, best values first; 0 = all", 0, 100000),
        field("memory", &P::memory, "limit of the table in MiB", 1, 1 << 20),
        field("batch", &P::batch, "value all children of a position in one call"),
        field("table", &P::table, "remember positions reached by several ways"),
        field("leaves", &P::leaves,
              "also remember what the evaluator said, worth it when that is costly")};
  }
  static Fields common_scalar() {
    return with(common(), {field("pruning", &DepthFirstParams::pruning, "alpha-beta cuts")});
  }
  // For searches whose positions are those of the game.
  static Fields ordered() {
    return {field(
        "order", &DepthFirstParams::order,
        "k-best and the order of moves by the values of all moves, or by the prior of a network "
        "that knows the moves: only moves that are kept are valued",
        kMoveOrderNames)};
  }
};

class DepthFirstEngine {
 public:
  DepthFirstEngine(const DepthFirstEngine&) = delete;
  DepthFirstEngine& operator=(const DepthFirstEngine&) = delete;
  virtual ~DepthFirstEngine();

 protected:
  struct Step {
    std::uint64_t move;  // its code
    std::uint8_t phase;  // after the move
  };

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  struct Chosen {
    Found found;
    std::size_t index = kNone;
  };

  // The children of one position on the way down; the game's side adds positions and moves.
  struct Frame {
    explicit Frame(ChildChoice& of) : children(of) {}
    Frame(const Frame&) = delete;
    virtual ~Frame() = default;

    ChildChoice& children;
    std::vector<Step> line;  // the best moves from here as far as they are known
  };

  // scalar: values are compared by the root seat's component alone, so that alpha-beta applies.
  DepthFirstEngine(const DepthFirstParams& params, bool scalar);

  // Deepens until the budget is gone or nothing is left to find out.
  void search(int root_seat, Meter& meter);

  const DepthFirstParams& params() const { return params_; }
  Frame& frame(std::size_t ply) const { return *frames_[ply]; }
  const std::vector<Found>& at_root() const { return at_root_; }
  std::size_t bytes() const { return table_.bytes(); }

  // The move that the table knows as best for a position, kNone when it does not know it exactly.
  std::size_t best_of(std::uint64_t hash, int phase, int depth) const;

  // ---- the game. ply: the frame, 0 for the root's; i: one of its children.
  virtual std::unique_ptr<Frame> make_frame() const = 0;
  virtual std::uint64_t root_hash() const = 0;
  virtual std::uint64_t salt(int phase) const = 0;  // tells apart table entries of one position
  // Fills a frame with the children of child `of` of the frame before, or of the root.
  virtual void list(std::size_t ply, std::size_t of, int phase) = 0;
  virtual void settle(std::size_t ply, int phase) = 0;
  // Children not known; how many were asked for. `until` may cut it short.
  virtual std::size_t value(std::size_t ply, const Meter* until) = 0;
  virtual std::size_t ask_prior(std::size_t ply, std::size_t of) = 0;  // the same, of the moves
  virtual std::uint64_t hash(std::size_t ply, std::size_t i) const = 0;
  virtual Scores points(std::size_t ply, std::size_t i) const = 0;  // of a finished child
  virtual Scores gain(std::size_t ply, std::size_t i) const = 0;    // of a finished child
  virtual Scores evaluate(std::size_t ply, std::size_t i) const = 0;
  virtual std::uint64_t code(std::size_t ply, std::size_t i) const = 0;  // of the move
  virtual std::uint64_t history_code(std::size_t ply, std::size_t i) const = 0;
  virtual void list_codes(std::size_t ply, std::vector<std::uint64_t>& out) const = 0;
  virtual void list_hashes(std::size_t ply, std::vector<std::uint64_t>& out) const = 0;
  // A depth is completed; frame 0 and at_root() tell about it.
  virtual void conclude(const Chosen& chosen, int depth) = 0;
  virtual void report() = 0;  // the watcher is to be told

 private:
  // Values of the root seat's component that must be known exactly; outside a bound will do.
  struct Window {
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();
    float low = -kInfinity, high = kInfinity;
  };

  Certainty deepen(int depth);
  Found visit(std::size_t ply, std::size_t of, std::uint8_t phase, int depth, Window window);
  void open(std::size_t ply, std::size_t of, std::uint8_t phase, int depth, std::size_t hint);
  void value_children(std::size_t ply);
  void recall(ChildChoice& children) const;
  void keep_best(std::size_t ply, std::size_t k);
  void note_left_out(const Found& best);
  void order(std::size_t ply, std::size_t hint);
  Chosen choose(std::size_t ply, int depth, Window window);
  Found value_of(std::size_t ply, std::size_t i, int depth, Window window);
  Scores leaf(std::size_t ply, std::size_t i);
  void follow(std::size_t ply, std::size_t i, int depth);
  void report_when_due();

  bool remembers() const { return params_.leaves && params_.table; }
  std::uint64_t key_of(std::uint64_t hash, int phase) const;
  static bool serves(const Table::Entry& entry, int depth);
  bool decides(const Table::Entry& entry, Window window) const;

  static float floor(Window window, Taste taste);
  static float ceiling(Window window, Taste taste);
  static bool too_good(Window window, Taste taste, const Scores& value);
  static Bound bound_of(Window window, Taste taste, const Scores& value);
  static Window narrowed(Window window, Taste taste, const Chosen& best, std::size_t i);

  DepthFirstParams params_;
  bool prunes_;
  Table table_;
  History history_;
  int root_seat_ = 0;
  Meter* meter_ = nullptr;  // of the search that runs
  bool stopped_ = false, can_give_up_ = false;
  std::vector<std::unique_ptr<Frame>> frames_;  // by distance from the root
  std::vector<Found> at_root_;
  std::vector<std::uint64_t> codes_, hashes_;
};

}  // namespace polymax
