// Cores that this process may use: those of its batch job or taskset, not all of the machine.
#pragma once

namespace polymax {

int cores();

}  // namespace polymax
