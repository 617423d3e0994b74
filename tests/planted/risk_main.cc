// Lives through the machines of machine_risk_test.cc: with a mistake planted in what is kept of a
// machine, something must not be exact.
#include <cstdio>

#include "oversub/machine_risk_testing.h"

int main() {
  const auto lives = berth::testing::LiveThrough(1'000);
  if (lives.wrong.empty()) {
    std::printf("the planted mistake was not found\n");
    return 1;
  }
  std::printf("found: %s\n", lives.wrong.c_str());
  return 0;
}
