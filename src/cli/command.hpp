// A subcommand is a file: a struct of options, add(app) that declares them, run(options) that does
// the work. Results go to stdout, progress and notes to stderr.
#pragma once

#include <CLI/CLI.hpp>

namespace polymax::cli {

void add_about(CLI::App& app);
void add_bench(CLI::App& app);
void add_list(CLI::App& app);
void add_match(CLI::App& app);
void add_net(CLI::App& app);
void add_perft(CLI::App& app);
void add_play(CLI::App& app);
void add_record(CLI::App& app);
void add_selfplay(CLI::App& app);
void add_serve(CLI::App& app);
void add_study(CLI::App& app);
void add_think(CLI::App& app);
void add_train(CLI::App& app);

// below `train`
void add_train_report(CLI::App& train);

// below `bench`
void add_bench_games(CLI::App& bench);
void add_bench_nets(CLI::App& bench);
void add_bench_searches(CLI::App& bench);
void add_bench_selfplay(CLI::App& bench);
void add_bench_signature(CLI::App& bench);
void add_bench_study(CLI::App& bench);

}  // namespace polymax::cli
