#include "recorder.h"

#include <fmt/format.h>

#include <utility>

#include "berth/check.h"
#include "store/rocksdb_store.h"
#include "support/random_fleet.h"

namespace berth {

Recorder::Recorder(LogRetention retention) : retention_(retention) {
  Open();
  engine_ = std::make_unique<Engine>(*bridge_, executor_, EngineOptions{});
  engine_->Start([](const Status& status) { BERTH_CHECK(status.ok()); });
  Settle();
}

void Recorder::Open() {
  RocksDbOptions options;
  options.directory = directory_.path();
  options.retention = retention_;
  options.sync = false;  // Nobody pulls the plug here.
  Result<std::unique_ptr<RocksDbStore>> opened = RocksDbStore::Open(options);
  BERTH_CHECK(opened.ok());
  store_ = std::move(opened).value();
  bridge_ = std::make_unique<StoreBridge>(*store_, executor_);
}

void Recorder::Settle() {
  bridge_->Settle();
  history_.insert_or_assign(view().revision(), view());
}

Reply Recorder::Submit(Action action) {
  bridge_->SettleUntil(executor_.now() + std::chrono::seconds(7));
  Reply answer;
  engine_->Submit({.what = std::move(action)}, [&](Reply reply) { answer = std::move(reply); });
  Settle();
  return answer;
}

void Recorder::Decommission(MachineId machine) {
  engine_->Decommission(machine.str(), [](const Reply&) {});
  Settle();
}

RecordedLog Recorder::ReadLog() {
  engine_.reset();
  bridge_.reset();
  store_.reset();
  Open();
  Result<RecordedLog> log = ReadRecordedLog(*bridge_, executor_);
  BERTH_CHECK(log.ok());
  return std::move(log).value();
}

Action Recorder::AnyActionOn(Rng& rng, const ServiceState& service) {
  const Instance& instance = service.instances[rng.Below(service.instances.size())];
  switch (rng.Below(8)) {
    case 0: {
      std::vector<InstanceGroup> groups = service.record.groups;
      for (InstanceGroup& group : groups)
        group.count = static_cast<std::uint32_t>(1 + rng.Below(4));
      return ScaleService{service.record.name, groups};
    }
    case 1: {
      Resources limit = instance.limit;
      limit[Resource::kCpu] = 1000 * static_cast<std::int64_t>(1 + rng.Below(8));
      return ResizeService{service.record.name, instance.type, limit};
    }
    case 2:
      return MoveInstance{instance.id, MachineId()};
    case 3: {
      const auto machines = view().machines();
      return MoveInstance{instance.id, machines[rng.Below(machines.size())].record.name};
    }
    case 4:
      return SuspendInstance{instance.id, static_cast<WaitReason>(rng.Below(2))};
    case 5:
      return ReportInstance{instance.id, static_cast<Reported>(rng.Below(4))};
    default:
      return DeleteService{service.record.name};
  }
}

Action Recorder::AnyAction(Rng& rng) {
  const std::uint64_t kind = rng.Below(20);
  if (kind < 9) {
    const auto services = view().services();
    const ServiceState* service =
        services.empty() ? nullptr : &services[rng.Below(services.size())];
    if (service != nullptr && !service->vacant()) return AnyActionOn(rng, *service);
  }
  if (kind < 12) {
    const auto machines = view().machines();
    const MachineState& machine = machines[rng.Below(machines.size())];
    if (!machine.vacant()) {
      return SetHealth{machine.record.name,
                       rng.Below(2) == 0 ? Health::kReady : static_cast<Health>(rng.Below(4))};
    }
  }
  Service service = testing::RandomService(rng, fmt::format("s{}", services_++));
  service.klass = ClassId(rng.Below(2) == 0 ? "gold" : "silver");
  return CreateService{service};
}

void Recorder::LiveRandomly(std::uint64_t seed, int requests) {
  Rng rng(seed);
  ChangeFleet fleet{.put = testing::RandomTypesAndTenants(rng), .remove = {}};
  const std::vector<Record> machines = testing::RandomMachines(rng, true);
  fleet.put.insert(fleet.put.end(), machines.begin(), machines.end());
  BERTH_CHECK(Submit(std::move(fleet)).accepted());
  for (int i = 0; i < requests; ++i) {
    if (rng.Below(25) == 0) {
      Decommission(std::get<Machine>(machines[rng.Below(machines.size())]).name);
    } else {
      Submit(AnyAction(rng));
    }
  }
}

}  // namespace berth
