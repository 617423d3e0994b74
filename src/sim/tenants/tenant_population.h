// Who lives in an over-subscribed cluster: tenants to be placed, and the traces of those that were
// there before them, which are others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oversub/trace_library.h"
#include "sim/tenants/tenant_pool.h"

namespace berth {

struct TenantKind {
  std::string name;
  Demand limit;                // What its tenants are promised.
  std::uint32_t replicas = 1;  // One primary, the others secondaries.
};

struct TenantPopulation {
  std::string name;
  std::vector<TenantKind> kinds;  // By TenantClass.
  TenantPool pool;
  TraceLibrary library;
};

}  // namespace berth
