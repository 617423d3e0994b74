#include "oversub/held_out.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "berth/rng.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::PutInto;

Machine MachineIn(const std::string& name, const std::string& cluster, Health health) {
  Machine machine;
  machine.name = MachineId(name);
  machine.cluster = ClusterId(cluster);
  machine.health = health;
  return machine;
}

// Loads change, machines fail, leave and move between two clusters; those held out are always the
// two ready ones with the least load, and whoever asks is told of every change.
TEST(HeldOut, AreTheLeastLoadedOfEachCluster) {
  constexpr std::size_t kMachines = 12;
  Rng rng(3);
  Inventory view;
  HeldOut held_out(2);
  std::vector<std::uint32_t> loads(kMachines);
  std::set<MachineIndex> told;
  for (std::size_t step = 0; step < 2000; ++step) {
    const std::size_t any = rng.Below(kMachines);
    const std::string name(1, static_cast<char>('a' + any));
    if (step < kMachines || rng.Below(4) == 0) {
      const std::string which(1, static_cast<char>('a' + step % kMachines));
      PutInto(view, MachineIn(which, rng.Below(2) == 0 ? "c0" : "c1",
                              rng.Below(4) == 0 ? Health::kDown : Health::kReady));
    } else if (rng.Below(20) == 0) {
      view.Install({.key = KeyOf(MachineIn(name, "", Health::kReady)),
                    .record = std::nullopt,
                    .revision = view.revision()});
    } else if (const auto index = view.IndexOf(MachineId(name))) {
      loads[At(*index)] = static_cast<std::uint32_t>(rng.Below(6));
    }
    for (std::uint32_t i = 0; i < view.machines().size(); ++i) {
      const MachineState& machine = view[MachineIndex{i}];
      if (machine.vacant()) continue;  // Nobody says that it left.
      const bool ready = machine.record.health == Health::kReady;
      held_out.Note(MachineIndex{i}, machine.cluster, ready ? loads[i] : HeldOut::kUnusable);
    }
    for (std::uint32_t c = 0; c < view.clusters().size(); ++c) {
      held_out.Choose(view, ClusterIndex{c}, [&](MachineIndex m) {
        if (!told.erase(m)) told.insert(m);
      });
    }
    std::set<MachineIndex> expected;
    for (const ClusterState& cluster : view.clusters()) {
      std::set<std::pair<std::uint32_t, MachineIndex>> by_load;
      for (const MachineIndex m : cluster.machines) {
        if (view[m].record.health == Health::kReady) by_load.emplace(loads[At(m)], m);
      }
      for (const auto& entry : by_load) {
        const MachineIndex machine = entry.second;
        if (std::ranges::count_if(expected, [&](MachineIndex m) {
              return view[m].cluster == view[machine].cluster;
            }) < 2) {
          expected.insert(machine);
        }
      }
    }
    std::set<MachineIndex> held;
    for (std::uint32_t i = 0; i < view.machines().size(); ++i) {
      if (held_out.Has(MachineIndex{i})) held.insert(MachineIndex{i});
    }
    ASSERT_EQ(held, expected) << "step " << step;
  }
}

}  // namespace
}  // namespace berth
