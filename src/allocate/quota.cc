#include "allocate/quota.h"

#include <fmt/format.h>

#include "fleet/predicates.h"

namespace berth {

std::string DescribeOverQuota(const Tenant& tenant, const ResourceTotals& used) {
  const Resource over = *FirstOver(used, *tenant.quota);
  return fmt::format("tenant {} has a quota of {} {} and would use {}", tenant.name.str(),
                     FormatAmount(over, (*tenant.quota)[over]), ResourceName(over),
                     FormatAmount(over, static_cast<std::int64_t>(used[over])));
}

}  // namespace berth
