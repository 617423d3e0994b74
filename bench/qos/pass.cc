// One pass with ten thousand that wait and ten thousand hosts, as the watchdog has it.
#include <fmt/format.h>

#include <algorithm>

#include "bench/bar.h"
#include "bench/cpu_watch.h"
#include "bench/qos/suites.h"
#include "qos/kind_scheduler.h"

namespace berth {
namespace {

class AnyHost final : public HostFilter {
 public:
  bool MayRun(const Want&, HostIndex) const override { return true; }
};

Resources Room(std::int64_t parts) {
  Resources room;
  room[Resource::kCpu] = parts;
  room[Resource::kMemory] = parts;
  return room;
}

}  // namespace

void RunPass() {
  constexpr int kHosts = 10'000;
  constexpr std::uint64_t kWaiting = 10'000;
  constexpr int kPasses = 30;
  const AnyHost filter;
  const auto scheduler = NewQosScheduler({.classes = TermsOf(DefaultFleetSettings().classes),
                                          .allocation_time = std::chrono::seconds(20)},
                                         filter);
  Rng rng(1);
  for (int i = 0; i < kHosts; ++i) scheduler->AddHost(Room(1000));
  // Long-lived gold and silver that came one after the other, then more bronze than there is room
  // for, until those that yield or wait are so many.
  Time now;
  const auto admit = [&](std::uint32_t klass) {
    const auto size = static_cast<std::int64_t>(80 + rng.Below(40));
    scheduler->Admit({.demand = Room(size), .klass = klass}, now);
  };
  for (int i = 0; i < 4 * kHosts; ++i) {
    now += std::chrono::seconds(1);
    admit(i % 2 == 0 ? 0 : 1);
    if (i % 100 == 0) scheduler->Pass(now);
  }
  while (scheduler->waiting() < kWaiting) {
    for (int i = 0; i < 100; ++i) {
      now += Duration(10'007);
      admit(2);
    }
    scheduler->Pass(now);
  }
  std::vector<double> millis;
  std::size_t decided = 0;
  for (int i = 0; i < kPasses; ++i) {
    now += std::chrono::seconds(10);
    const CpuWatch timer;
    decided += scheduler->Pass(now).grants.size();
    millis.push_back(timer.seconds() * 1000);
  }
  std::ranges::sort(millis);
  fmt::print("{} waiting, {} hosts: {:.1f} decisions a pass, median {:.2f} ms, longest {:.2f} ms\n",
             scheduler->waiting(), scheduler->hosts(), static_cast<double>(decided) / kPasses,
             millis[kPasses / 2], millis.back());
  PrintBar("qos_pass_ms_median", millis[kPasses / 2], "<=", 10);
}

}  // namespace berth
