// What a person should know although nothing failed. The library says it, whoever runs it decides
// what becomes of it: the program shows it on standard error.
#pragma once

#include <functional>
#include <string>

namespace polymax {

// One line; a text that was said before is not said again. Any thread.
void notice(const std::string& text);

// Who hears notices from now on; nobody at first.
void hear_notices(std::function<void(const std::string&)> hear);

}  // namespace polymax
