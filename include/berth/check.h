// BERTH_CHECK: our own bug, if it fires. On in every build; prints where and what, then aborts.
#pragma once

namespace berth {

[[noreturn]] void CheckFailed(const char* file, int line, const char* expression);

}  // namespace berth

#define BERTH_CHECK(expression)                              \
  do {                                                       \
    if (!(expression)) [[unlikely]] {                        \
      ::berth::CheckFailed(__FILE__, __LINE__, #expression); \
    }                                                        \
  } while (false)
