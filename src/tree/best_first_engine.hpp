// The tree of the best-first searches: Unbounded Minimax and Unbounded Max^n with completion, and
// Descent (Cohen-Solal). Knows hashes, values and counts, but no game: best_first.hpp adds the
// positions, asked for a few times an expansion.
//   An iteration follows best_action_dual from the root to a position that is not expanded,
//                values all its children by one call of the evaluator, and backs up c, v, r along
//                the line.
//   Whole lines  (Descent) go on from there to a resolved position. No recursion: a line is as
//                long as the game.
//   refresh      Differs: positions reached by several ways make edges stale. Edges take c, v, r
//                of the node behind them when their position is visited, and new edges take them
//                instead of an evaluation; off, they change only when selected, as published.
//   widen        An expansion values some children only (widening.hpp). When a position was
//                visited often enough, or all that were valued are resolved, an iteration ends
//                there and values more. Until all are, it is resolved by a proven win of its
//                mover alone and hands up no other completion. So is a root whose first valuation
//                was cut short; a later search values the rest.
//   Threads      extend lines of one tree, locked except during evaluate(); an edge whose
//                position is being expanded is pending, the others avoid it. One is the published
//                algorithm.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "core/points.hpp"
#include "core/resolved.hpp"
#include "core/searcher.hpp"
#include "tree/arena.hpp"
#include "tree/child_values.hpp"
#include "tree/completion.hpp"
#include "tree/meter.hpp"

namespace polymax {

struct BestFirstRules {
  bool coalition = false;  // all others minimise the root seat's component; otherwise each seat
                           // maximises its own
  bool literal = false;    // resolution rule of the paper
  bool refresh = true;
  bool batch = true;
  std::size_t memory = std::size_t{1} << 30;  // bytes
  int widen = 0;                              // children that an expansion values; 0 = all
  double widen_rate = 0.5;  // widen * floor((1 + n)^rate) of them are valued after n visits
  Scores care{};            // how much each seat cares to spoil the root seat's component
};

struct Step {
  NodeIndex node = kNoNode;
  std::size_t edge = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

// A line that a thread extends: the steps from the root, the position at its end and what is known
// of its children.
struct Line {
  explicit Line(ChildValues& of) : children(of) {}
  Line(const Line&) = delete;
  virtual ~Line() = default;

  std::vector<Step> steps;    // from the root
  NodeIndex at = kNoNode;     // where the line stands
  std::vector<Step> blocked;  // edges behind which everything is pending, passed over

  std::uint64_t hash = 0;  // of the position, changed by the salt
  int seat = 0, ply = 0;   // to move; moves played

  ChildValues& children;
  std::vector<std::uint64_t> hashes;  // of the children, as are the bits
  std::vector<std::uint16_t> bits;
  std::vector<float> priors;          // of the children, where some are kUnseen
  std::vector<std::size_t> to_value;  // children that widening has chosen
  bool widens = false;                // the node `at`

  bool is_listed = false;  // they are the children of the position with the hash `listed`
  std::uint64_t listed = 0;
  std::uint32_t looked = 0;  // when known children were looked for
};

// Who is told while a search runs, by one thread: `prepare` while the tree does not change, then
// `tell`.
struct TreeWatch {
  std::function<void()> prepare, tell;
};

class BestFirstEngine {
 public:
  // How far run() goes when the budget allows more.
  struct Run {
    bool whole = false;  // lines go on to a resolved position
    int threads = 1;
    std::uint64_t lines = std::numeric_limits<std::uint64_t>::max();
  };

  BestFirstEngine(const BestFirstEngine&) = delete;
  BestFirstEngine& operator=(const BestFirstEngine&) = delete;
  virtual ~BestFirstEngine();

  const Arena& tree() const { return tree_; }
  NodeIndex root() const { return root_; }
  const Arena::Node& root_node() const { return tree_[root_]; }
  AimedEdges root_edges() const { return {tree_.edges(root_), taste(tree_[root_])}; }
  bool solved() const { return resolved(root_); }
  int depth() const { return depth_; }

  // Extends lines until the budget is gone, the root resolved, or so many lines made. What the
  // evaluator or the watcher throws is thrown when all threads have ended; a line in which the
  // evaluator threw leaves no trace.
  void run(Meter& meter, const Run& how, const TreeWatch& watch = {});

 protected:
  // The position of a root.
  struct Place {
    std::uint64_t hash = 0;
    int seat = 0, ply = 0;
  };

  // kept_bytes: what the game's side keeps of every node, counted with the tree.
  BestFirstEngine(int seats, Points points, ResolvedPositions* resolved,
                  const BestFirstRules& rules, std::size_t memory, std::size_t kept_bytes);

  // Makes a position the root; the first line stands there. Expands it when it is new: where the
  // meter interrupts that, children that were not valued stay unseen. What cannot be reached from
  // it goes when room is needed.
  void start(const Place& root, Meter& meter);

  // Of the root's children that were valued; stands for those that were not.
  Scores worst_seen() const;

  // The edges of best play from the root, `first` first.
  std::vector<Step> principal_variation(std::size_t first) const;

  // What is proven of the root whose value `out` gives. The published rule of resolution proves
  // nothing when seats may tie.
  void prove(Conclusion& out) const;

  // The node of a position as the game hashes it, kNoNode when the tree has none.
  NodeIndex node_of(std::uint64_t hash) const { return tree_.find(hash ^ salt_); }

  // How much each seat cares from now on; another model is another tree.
  void set_care(const Scores& care);

  // The line of thread i; lines are made when asked for first, by one thread alone.
  Line& line(std::size_t i);
  const BestFirstRules& rules() const { return rules_; }

  // ---- the game. Those that the tree may not change meanwhile say so.
  virtual std::unique_ptr<Line> make_line() const = 0;
  // Takes the position behind the last step, or the root; locked.
  virtual void step(Line& line) = 0;
  virtual void list(Line& line, std::uint64_t salt) = 0;  // the position's children, and its place
  // Children that are not known; how many were asked for. `until` may cut it short.
  virtual std::size_t value(Line& line, const Meter* until) = 0;
  virtual std::size_t value_more(Line& line, const Meter* until) = 0;  // the same of to_value
  virtual void keep(NodeIndex node, Line& line) = 0;  // the line's position is that node; locked
  virtual void forget(NodeIndex) {}                   // a node goes for want of memory; locked
  virtual void ended(const Line&) {}  // a line ends at line.at; not backed up yet; locked

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Node = Arena::Node;

  enum class Pin { free, held };  // while room is made

  bool resolved(NodeIndex i) const { return (tree_[i].bits & bits::kResolved) != 0; }

  // What one seat gets is what the others lose.
  bool scalar() const { return rules_.coalition || seats_ == 2; }

  bool cares() const { return rules_.care != Scores{}; }

  Taste taste(int seat) const {
    if (rules_.coalition) return {view_, seat == view_ ? 1.0f : -1.0f};
    if (seat == view_ || !(rules_.care[seat] > 0)) return {seat};
    return {seat, 1, view_, rules_.care[seat]};
  }
  Taste taste(const Node& node) const { return taste(static_cast<int>(node.seat)); }

  void extend_lines(std::size_t thread, Meter& meter, const Run& how, const TreeWatch& watch);
  bool extend(Line& line, bool whole, Meter& meter, Lock& lock);
  bool go_down(Line& line, bool whole, Meter& meter, Lock& lock);
  std::size_t select(const Node& node, const Edges& edges) const;
  void withdraw(Line& line);
  void abandon(Line& line);
  bool open(NodeIndex i);
  bool refresh(NodeIndex i, bool look);
  void summarise(Node& node);
  void take_best(Node& node, const AimedEdges& aimed, const Edges& edges) const;
  void settle(Node& node, const Edges& edges, std::size_t e, const Node& behind);
  void back_up(Line& line);
  bool step_back(Line& line);
  void unblock(Line& line);
  NodeIndex expand_behind(Line& line, bool whole, Meter& meter, Lock& lock);
  NodeIndex expand(Line& line, Meter& meter, Lock& lock, const Meter* until);
  void take_known(Line& line);
  NodeIndex attach(const Line& line);
  void leave_unseen(Line& line) const;
  void hide(const Edges& edges, std::size_t e, const Taste& taste, float prior) const;
  float prior(const Edges& edges, std::size_t e, const Taste& taste) const;
  bool has_unseen(const Node& node) const;
  std::size_t missing(const Node& node) const;
  void choose_unseen(Line& line, std::size_t count) const;
  void widen(Line& line, std::size_t count, Meter& meter, Lock& lock);
  bool make_room(const Meter& meter);
  void sweep();
  void pin(Pin how);

  int seats_;
  Points points_;
  ResolvedPositions* resolved_;
  BestFirstRules rules_;
  Arena tree_;
  NodeIndex root_ = kNoNode;
  int root_ply_ = 0, view_ = 0, depth_ = 0;
  std::uint64_t views_ = 0;  // how often the view has changed
  std::uint64_t salt_ = 0;   // makes all positions new then
  std::vector<std::unique_ptr<Line>> lines_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
  std::uint64_t lines_left_ = 0;
};

}  // namespace polymax
