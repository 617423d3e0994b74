// Where a command writes, and how errors look.
#pragma once

#include <iosfwd>
#include <string_view>

#include "berth/status.h"

namespace berth {

struct Console {
  std::ostream& out;
  std::ostream& err;

  // "berth: what was wrong", and the exit code of a refusal.
  int Fail(const Status& status);
  int Fail(std::string_view message);
};

}  // namespace berth
