// The index of a tree against an ordered map, through growth, splits and removals.
#include "tree/node_index.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/rng.hpp"

namespace polymax::node_index_test {
namespace {

class Checked {
 public:
  explicit Checked(std::uint64_t spread) : spread_(spread) {}

  // Small: several nodes have one.
  std::uint64_t hash_of(NodeIndex node) const { return mix64(node) % spread_; }

  void insert(NodeIndex node) {
    table_.insert(hash_of(node), node);
    model_[node] = true;
  }
  void erase(NodeIndex node) {
    table_.erase(hash_of(node), node);
    model_.erase(node);
  }
  bool contains(NodeIndex node) const { return model_.contains(node); }
  void expect_found(NodeIndex node) const {
    const auto found = table_.find(hash_of(node), [&](NodeIndex i) { return i == node; });
    ASSERT_EQ(found, contains(node) ? node : kNoNode);
  }
  const NodeTable& table() const { return table_; }
  std::size_t size() const { return model_.size(); }

 private:
  std::uint64_t spread_;
  NodeTable table_;
  std::map<NodeIndex, bool> model_;
};

TEST(node_index, IsAMap) {
  Rng rng(1);
  for (const std::uint64_t spread : {std::uint64_t{40000}, ~std::uint64_t{0}}) {
    Checked index(spread);
    for (int i = 0; i < 300000; ++i) {
      const NodeIndex node = rng.below(i < 150000 ? 60000 : 2000);
      if (!index.contains(node))
        index.insert(node);
      else if (rng.below(3) == 0)
        index.erase(node);
      ASSERT_NO_FATAL_FAILURE(index.expect_found(node));
      ASSERT_NO_FATAL_FAILURE(index.expect_found(rng.below(60000)));
    }
    for (NodeIndex node = 0; node < 60000; ++node)
      ASSERT_NO_FATAL_FAILURE(index.expect_found(node));
  }
}

// Never more at once than one segment and the pointers to all of them.
TEST(node_index, GrowsBySegments) {
  Checked index(~std::uint64_t{0});
  std::size_t before = 0, most = 0;
  for (NodeIndex node = 0; node < 200000; ++node) {
    const std::size_t promised = index.table().next_growth();
    index.insert(node);
    const std::size_t grown = index.table().bytes() - before;
    before += grown;
    EXPECT_LE(grown, promised);
    most = std::max(most, grown);
  }
  EXPECT_LE(most, 8 * NodeTable::kMostSlots + before / 256);
  EXPECT_LE(before / 200000, 22u);
}

}  // namespace
}  // namespace polymax::node_index_test
