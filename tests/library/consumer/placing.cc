// A fleet of two machines, a service of three instances, and where they went.
#include <berth/engine.h>
#include <berth/executors.h>
#include <berth/open_store.h>

#include <cstdio>
#include <memory>
#include <string>

namespace {

berth::Resources Amounts(std::int64_t cpu, std::int64_t memory_gib) {
  berth::Resources amounts;
  amounts[berth::Resource::kCpu] = cpu * 1000;  // In thousandths.
  amounts[berth::Resource::kMemory] = memory_gib << 30;
  return amounts;
}

berth::Machine MachineIn(const char* rack, const char* name) {
  berth::Machine machine;
  machine.name = berth::MachineId(name);
  machine.datacenter = berth::DatacenterId("north");
  machine.cluster = berth::ClusterId("c1");
  machine.row = berth::RowId("row1");
  machine.rack = berth::RackId(rack);
  machine.sku = berth::SkuId("standard");
  machine.capacity = Amounts(8, 32);
  return machine;
}

berth::ChangeFleet TwoMachines() {
  berth::Tenant acme;
  acme.name = berth::TenantId("acme");
  berth::InstanceType small;
  small.name = berth::TypeId("small");
  small.size = Amounts(2, 4);
  return {.put = {acme, small, MachineIn("r1", "a"), MachineIn("r2", "b")}, .remove = {}};
}

berth::Service Web() {
  berth::Service web;
  web.name = "web";
  web.tenant = berth::TenantId("acme");
  web.klass = berth::ClassId("gold");
  web.groups = {{.type = berth::TypeId("small"), .role = berth::RoleId("primary"), .count = 3}};
  web.constraints.spread_racks = 2;
  return web;
}

int Print(const berth::Reply& reply) {
  if (!reply.accepted()) {
    const bool refused = reply.decision && reply.decision->refusal;
    std::printf("not placed: %s\n", refused ? reply.decision->refusal->because.c_str()
                                            : reply.status.message().c_str());
    return 1;
  }
  for (const berth::Placement& placed : reply.decision->placed) {
    std::printf("web/%u is on %s\n", placed.instance, placed.machine.str().c_str());
  }
  return 0;
}

}  // namespace

int main() {
  const std::unique_ptr<berth::RunnableExecutor> executor = berth::NewVirtualExecutor();
  berth::Result<std::unique_ptr<berth::Store>> store = berth::OpenStore("memory");
  if (!store.ok()) {
    std::printf("%s\n", store.status().message().c_str());
    return 1;
  }
  berth::Engine engine(*store.value(), *executor, {});
  berth::Reply reply;
  engine.Start([](const berth::Status&) {});
  engine.Submit({.what = TwoMachines()}, [](const berth::Reply&) {});
  executor->RunUntilIdle();
  engine.Submit({.what = berth::CreateService{Web()}},
                [&](const berth::Reply& answer) { reply = answer; });
  executor->RunUntilIdle();
  return Print(reply);
}
