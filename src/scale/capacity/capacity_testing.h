// What tests of plans are made of.
#pragma once

#include <string>

#include "scale/capacity/vm_mix.h"

namespace berth {

inline Resources CpuAndMemory(std::int64_t cpu, std::int64_t gib) {
  Resources resources;
  resources[Resource::kCpu] = cpu * 1'000;
  resources[Resource::kMemory] = gib << 30;
  return resources;
}

inline VmType TypeOf(std::string name, std::int64_t cpu, std::int64_t gib, double price,
                     Duration boot = {}) {
  return {.provider = "p",
          .name = std::move(name),
          .capacity = CpuAndMemory(cpu, gib),
          .hour_micros = static_cast<std::int64_t>(price * 1e6),
          .boot = boot};
}

inline InstanceDemand DemandOf(std::string service, std::int64_t cpu, std::int64_t gib,
                               std::uint32_t instances) {
  return {.service = std::move(service), .need = CpuAndMemory(cpu, gib), .instances = instances};
}

}  // namespace berth
