// All subcommands, one file each.
#pragma once

#include "cli/command.hpp"

namespace polymax::cli {

Command about_command();
Command analyze_command();
Command bench_command();
Command check_engine_command();
Command engine_command();
Command list_command();
Command match_command();
Command net_command();
Command perft_command();
Command play_command();
Command record_command();
Command selfplay_command();
Command serve_command();
Command study_command();
Command think_command();
Command train_command();

// below `net`
Command net_bounds_command();

// below `train`
Command train_report_command();

// below `study`
Command study_report_command();
Command study_run_command();

// below `bench`
Command bench_games_command();
Command bench_nets_command();
Command bench_searches_command();
Command bench_selfplay_command();
Command bench_signature_command();
Command bench_study_command();

}  // namespace polymax::cli
