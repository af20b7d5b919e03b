// The commit that this build was made of, "unknown" outside a repository, "-dirty" with changes of
// its own: for files that tell where they come from.
#pragma once

#include <string>

namespace polymax {

std::string commit();

}  // namespace polymax
