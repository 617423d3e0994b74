// Runs the comparison of the estimate with the slow reference, as agreement_test.cc does: with a
// mistake planted in the estimate, it must not pass.
#include <cstdint>
#include <cstdio>

#include "oversub/agreement_testing.h"

int main() {
  using berth::testing::AgreementCheck;
  constexpr std::uint32_t kRepetitions = 10'000;
  AgreementCheck check(kRepetitions);
  std::uint64_t machines = 0;
  for (; machines < AgreementCheck::kMachines && !check.Fails(); ++machines) {
    check.Add(berth::testing::RandomMachine(machines).Compare(kRepetitions));
  }
  const std::string complaint = check.Complaint();
  std::printf("%s after %d machines: %s\n",
              complaint.empty() ? "the planted mistake was not found" : "found",
              static_cast<int>(machines), complaint.c_str());
  return complaint.empty() ? 1 : 0;
}
