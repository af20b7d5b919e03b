// A small study in a folder of its own, for tests of what happens to its shards.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "arena/gather.hpp"
#include "arena/record.hpp"
#include "arena/study_lines.hpp"
#include "arena/study_run.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::arena {

inline const std::string kStudyText = R"json({"games": ["hex3(side=3)", "tictactoe"],
  "players": ["unbounded_maxn(eval=$f)", "mcts"], "benchmark": "maxn(eval=$f)",
  "networks": {"evaluator": "playouts(seed=$i)"}, "budget": "evals=15", "functions": 2, "seed": 3})json";
inline constexpr std::uint64_t kMatches = 4 * 2 * (3 + 2);

// A folder with the study in it.
struct StudyPlace {
  TemporaryFolder folder;
  std::string shard(const std::string& name = "0-of-1") const {
    return folder / ("shards/" + name + ".jsonl");
  }

  explicit StudyPlace(const std::string& text = kStudyText) {
    std::ofstream(folder / "study.json") << text;
  }
  Study open() const { return Study::open(folder / ""); }
  StudyProgress run(const StudyRunSettings& settings = {}) const {
    return run_study(open(), settings);
  }
};

inline std::string records_of(const StudyPlace& place) {
  std::string out;
  const auto study = place.open();
  each_shard_match(study, [&](std::uint64_t k, std::string_view line) {
    out +=
        std::to_string(k) + " " + record_line(study_record(study, k, line), Timing::without) + "\n";
  });
  return out;
}

// The records of the study, played at once.
inline std::string reference() {
  static const std::string records = [] {
    const StudyPlace place;
    place.run();
    return records_of(place);
  }();
  return records;
}

}  // namespace polymax::arena
