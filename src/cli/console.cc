#include "cli/console.h"

#include <ostream>

#include "cli/command.h"

namespace berth {

int Console::Fail(const Status& status) { return Fail(status.message()); }

int Console::Fail(std::string_view message) {
  out.flush();
  err << "berth: " << message << '\n';
  return kExitRefused;
}

}  // namespace berth
