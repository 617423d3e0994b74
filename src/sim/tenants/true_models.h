// What an estimate would go by if it knew the future of every tenant: in place of those of past
// tenants the model of its own trace. How much better a technique is with it tells what D(db) does
// not say.
#pragma once

#include "oversub/trace_library.h"
#include "sim/tenants/tenant_pool.h"

namespace berth {

// Classes tell at most so many tenants apart.
inline constexpr std::size_t kTrueModelsMax = static_cast<std::size_t>(kNoClass);

// Each tenant of the pool, at most kTrueModelsMax, is a class of its own: its place there.
TraceLibrary TrueModels(const TenantPool& pool);

}  // namespace berth
