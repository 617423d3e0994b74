// A pass as the engine has it: ten thousand machines and ten thousand that wait, on the fleet's own
// records, with the policy's rules asked and the seats worked out.
#include <fmt/format.h>

#include <algorithm>

#include "base/document.h"
#include "bench/bar.h"
#include "bench/cpu_watch.h"
#include "bench/qos/suites.h"
#include "berth/check.h"
#include "engine/yield_mirror.h"

namespace berth {
namespace {

constexpr std::uint32_t kMachines = 10'000;
constexpr std::uint32_t kWaiting = 10'000;
constexpr int kPasses = 30;
constexpr Time kEnd = TimeFromMicros(1'700'000'000'000'000);

class LiveFleet {
 public:
  LiveFleet() {
    for (int i = 0; i < 10; ++i) Add(Tenant{.name = TenantId(fmt::format("t{}", i)), .quota = {}});
    for (std::int64_t cpu = 1; cpu <= 8; ++cpu) {
      InstanceType type;
      type.name = TypeId(fmt::format("c{}", cpu));
      type.size = SizeOf(cpu);
      Add(type);
    }
    for (std::uint32_t i = 0; i < kMachines; ++i) AddMachine(i);
    for (std::uint32_t i = 0; i < kMachines; ++i) Fill(i);
    // They had their turn, and have up to two hours left.
    for (std::uint32_t i = 0; i < kWaiting; ++i) {
      const Duration leeway = Draw(7200);
      AddInstance("bronze", Cpu(), {}, std::chrono::hours(2) + leeway, std::chrono::hours(2));
    }
  }

  const Inventory& view() const { return view_; }

 private:
  static Resources SizeOf(std::int64_t cpu) {
    Resources size;
    size[Resource::kCpu] = cpu * 1000;
    size[Resource::kMemory] = cpu << 32;
    return size;
  }
  std::int64_t Cpu() { return 1 + static_cast<std::int64_t>(rng_.Below(8)); }
  static MachineId NameOf(std::uint32_t machine) { return MachineId(fmt::format("m{}", machine)); }

  void Add(Record record) {
    RecordKey key = KeyOf(record);
    view_.Install(Update{std::move(key), std::move(record), Revision{1}});
  }
  void AddMachine(std::uint32_t number) {
    Machine machine;
    machine.name = NameOf(number);
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId(fmt::format("c{}", number / 1000));
    machine.row = RowId("r");
    machine.rack = RackId(fmt::format("k{}", number / 40));
    machine.sku = SkuId("gen");
    machine.capacity = SizeOf(64);
    Add(machine);
  }
  Duration Draw(std::uint64_t seconds) { return std::chrono::seconds(rng_.Below(seconds)); }

  // Gold and silver that just came, and bronze that waited for longer than it ran: those that wait
  // and those that run meet, as they do after a while.
  void Fill(std::uint32_t machine) {
    for (std::int64_t left = 64; left > 0;) {
      const std::int64_t cpu = std::min(Cpu(), left);
      const std::uint64_t draw = rng_.Below(10);
      if (draw < 6) {
        AddInstance(draw < 3 ? "gold" : "silver", cpu, NameOf(machine), Draw(10), Duration());
      } else {
        const Duration late = Draw(7200);
        AddInstance("bronze", cpu, NameOf(machine), std::chrono::hours(2),
                    std::chrono::hours(2) + late);
      }
      left -= cpu;
    }
  }
  void AddInstance(std::string_view klass, std::int64_t cpu, MachineId machine, Duration ran,
                   Duration waited) {
    Service service;
    service.name = fmt::format("s{}", services_++);
    service.tenant = TenantId(fmt::format("t{}", rng_.Below(10)));
    service.klass = ClassId(klass);
    service.groups = {{TypeId(fmt::format("c{}", cpu)), RoleId(), 1}};
    service.next_number = 1;
    Instance instance;
    instance.id = {service.name, 0};
    instance.type = service.groups[0].type;
    instance.limit = SizeOf(cpu);
    instance.machine = machine;
    instance.state = machine.empty() ? InstanceState::kPending : InstanceState::kRunning;
    instance.timeline.created = kEnd - ran - waited;
    instance.timeline.since = kEnd;
    instance.timeline.ran = ran;
    instance.timeline.waited = waited;
    Add(std::move(service));
    Add(std::move(instance));
  }

  Rng rng_{1};
  Inventory view_;
  std::uint64_t services_ = 0;
};

}  // namespace

void RunLive() {
  const LiveFleet fleet;
  const Document document = ParseDocument(ShippedPolicy(), "policy").value();
  const CpuWatch building;
  YieldMirror mirror(fleet.view(), {.kind = SchedulerKind::kQos},
                     ParseAllocatePolicy(document.root()).value());
  fmt::print("{} machines, {} instances, {} of them waiting: mirrored in {:.2f} s\n", kMachines,
             mirror.scheduler().requests().size(), mirror.scheduler().waiting(),
             building.seconds());
  std::vector<double> millis;
  std::size_t seats = 0;
  Time now = kEnd;
  for (int i = 0; i < kPasses; ++i) {
    const CpuWatch timer;
    const SeatPlan plan = mirror.Pass(now);
    millis.push_back(timer.seconds() * 1000);
    seats += plan.seatings.size();
    now += std::chrono::seconds(10);
  }
  const double first = millis.front();
  std::ranges::sort(millis);
  fmt::print(
      "{} waiting: {:.1f} seats a pass, first {:.2f} ms, median {:.2f} ms, longest {:.2f} ms\n",
      mirror.scheduler().waiting(), static_cast<double>(seats) / kPasses, first,
      millis[kPasses / 2], millis.back());
  PrintBar("qos_live_pass_ms_median", millis[kPasses / 2], "<=", 10);
}

}  // namespace berth
