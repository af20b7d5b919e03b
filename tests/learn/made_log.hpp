// A made-up run of learning: what its folder would hold.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace polymax::learn::made_log {

inline const std::string kRun =
    R"json({"format": "polymax-run-1", "game": "hex3(side=4)", "net": "channels=8", "learn": "",
  "search": "descent", "budget": "evals=100", "seed": 3})json";

inline std::string line(int matches, double loss, double length) {
  return nlohmann::json{{"matches", matches},
                        {"evaluations", matches * 1000},
                        {"samples", matches * 100},
                        {"steps", matches * 2},
                        {"learned", matches * 300},
                        {"seconds", matches * 1.5},
                        {"loss", loss},
                        {"rate", 1e-4},
                        {"length", length},
                        {"wins", {0.5, 0.25, 0.0}},
                        {"draws", 0.25},
                        {"solved", 0.4},
                        {"calibration", {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
                        {"positions_per_second", 25000},
                        {"steps_per_second", 2},
                        {"device_share", 0.5}}
             .dump() +
         "\n";
}

// With the share of different matches.
inline std::string with_different(const std::string& line, double share) {
  auto entry = nlohmann::json::parse(line);
  entry["different"] = share;
  return entry.dump() + "\n";
}

inline std::string log() {
  std::string out;
  for (int k = 1; k <= 40; ++k) out += line(10 * k, 2.0 / k, 20 + k);
  return out;
}

}  // namespace polymax::learn::made_log
