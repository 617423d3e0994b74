// bench_allocate: what one placement costs when it is worked out from scratch over the whole zone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <vector>

#include "allocate/evaluate.h"
#include "allocate/gang.h"
#include "base/quantiles.h"
#include "bench/allocate/suites.h"
#include "bench/bar.h"
#include "berth/engine.h"
#include "berth/rng.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

Resources Size(std::int64_t cores, std::int64_t gib) {
  Resources size;
  size[Resource::kCpu] = cores * 1000;
  size[Resource::kMemory] = gib << 30;
  return size;
}

void Put(Inventory& fleet, const Record& record) {
  fleet.Install({.key = KeyOf(record), .record = record, .revision = {}});
}

// Clusters of a thousand machines with 40 cores each, filled at random to 80% of the cores.
Inventory FilledZone(std::uint32_t clusters, Rng rng) {
  Inventory fleet;
  Put(fleet, Tenant{.name = TenantId("t"), .quota = std::nullopt});
  const std::int64_t cores[] = {1, 2, 4, 8};
  for (const std::int64_t c : cores) {
    Put(fleet, InstanceType{.name = TypeId(fmt::format("D{}", c)),
                            .size = Size(c, 4 * c),
                            .skus = {},
                            .requires_labels = {}});
  }
  std::uint32_t next_service = 0;
  for (std::uint32_t c = 0; c < clusters; ++c) {
    for (std::uint32_t m = 0; m < 1000; ++m) {
      Machine machine;
      machine.name = MachineId(fmt::format("c{:02}-{:04}", c, m));
      machine.datacenter = DatacenterId("dc1");
      machine.cluster = ClusterId(fmt::format("c{:02}", c));
      machine.row = RowId("r1");
      machine.rack = RackId(fmt::format("k{:02}", m / 20));
      machine.sku = SkuId("gen5");
      machine.capacity = Size(40, 256);
      Put(fleet, machine);
      std::int64_t free = 40;
      const auto keep = static_cast<std::int64_t>(rng.Below(17));  // 8 of 40 on average.
      while (free > keep) {
        const std::int64_t size = std::min(cores[rng.Below(4)], free - keep);
        Service service;
        service.name = fmt::format("s{}", next_service++);
        service.tenant = TenantId("t");
        service.klass = ClassId("gold");
        service.groups = {{.type = TypeId("D1"), .role = RoleId(), .count = 1}};
        Put(fleet, service);
        Instance instance;
        instance.id = {service.name, 0};
        instance.type = TypeId("D1");
        instance.machine = machine.name;
        instance.limit = Size(size, 4 * size);
        instance.state = InstanceState::kRunning;
        Put(fleet, instance);
        free -= size;
      }
    }
  }
  return fleet;
}

template <typename F>
double MedianMillis(int repetitions, F&& f) {
  std::vector<double> millis;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f(i);
    millis.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
  }
  return Quantile(std::move(millis), 0.5);
}

struct Cost {
  double place_ms = 0;  // Evaluation of every cluster, the choice, the funnel.
  double scan_ms =
      0;  // The reference: one bare pass that asks of each machine only whether it fits.
};

Cost Measure(std::uint32_t clusters, int repetitions) {
  Inventory fleet = FilledZone(clusters, Rng(42));
  const Document document = ParseDocument(ShippedPolicy(), "policy").value();
  AllocatePolicy policy = ParseAllocatePolicy(document.root()).value();
  policy.clusters = clusters;  // All of them.
  Service service;
  service.name = "new";
  service.tenant = TenantId("t");
  service.klass = ClassId("gold");
  service.groups = {{.type = TypeId("D4"), .role = RoleId(), .count = 1}};
  Instance wanted;
  wanted.id = {"new", 0};
  wanted.type = TypeId("D4");
  wanted.limit = Size(4, 16);

  Cost cost;
  FromScratch chooser(policy);
  std::size_t found = 0;
  cost.place_ms = MedianMillis(repetitions, [&](int i) {
    const Choosing choosing{
        .policy = policy, .chooser = chooser, .rng = Rng(static_cast<std::uint64_t>(i))};
    found += PlaceGang(choosing, fleet, service, {&wanted, 1}).placed.size();
  });
  std::size_t fitting = 0;
  cost.scan_ms = MedianMillis(repetitions, [&](int) {
    for (const MachineState& machine : fleet.machines()) {
      if (HasRoom(machine.usable, machine.allocated, wanted.limit)) ++fitting;
    }
  });
  if (found != static_cast<std::size_t>(repetitions) || fitting == 0) std::abort();
  return cost;
}

}  // namespace

void RunFromScratch(bool full) {
  const int repetitions = full ? 500 : 100;
  fmt::print(
      "Placement from scratch: shipped policy, 1,000 machines a cluster, 80% full, explanation "
      "included, commit excluded\n");
  fmt::print("{:>10} {:>14} {:>14} {:>8}\n", "machines", "place (ms)", "bare scan (ms)", "ratio");
  double at_ten_thousand = 0;
  for (const std::uint32_t clusters : {1U, 2U, 5U, 10U}) {
    const Cost cost = Measure(clusters, repetitions);
    fmt::print("{:>10} {:>14.3f} {:>14.3f} {:>8.1f}\n", clusters * 1000, cost.place_ms,
               cost.scan_ms, cost.place_ms / cost.scan_ms);
    at_ten_thousand = cost.place_ms;
  }
  PrintBar("allocate.from_scratch_10k_median_ms", at_ten_thousand, "<=", 2.0);
}

}  // namespace berth
