// All subcommands, one file each, whose stem is the namespace.
#pragma once

#include "cli/command.hpp"

namespace polymax::cli {

// clang-format off
namespace about { Command command(); }
namespace analyze { Command command(); }
namespace bench { Command command(); }
namespace check_engine { Command command(); }
namespace engine { Command command(); }
namespace list { Command command(); }
namespace match { Command command(); }
namespace net { Command command(); }
namespace perft { Command command(); }
namespace play { Command command(); }
namespace record { Command command(); }
namespace selfplay { Command command(); }
namespace serve { Command command(); }
namespace study { Command command(); }
namespace think { Command command(); }
namespace train { Command command(); }

// below `net`
namespace net_bounds { Command command(); }

// below `train`
namespace train_report { Command command(); }

// below `study`
namespace study_report { Command command(); }
namespace study_run { Command command(); }

// below `bench`
namespace bench_games { Command command(); }
namespace bench_nets { Command command(); }
namespace bench_searches { Command command(); }
namespace bench_selfplay { Command command(); }
namespace bench_signature { Command command(); }
namespace bench_study { Command command(); }
// clang-format on

}  // namespace polymax::cli
