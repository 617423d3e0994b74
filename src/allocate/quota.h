// A tenant's quota in words: the rule and the answer for whole gangs say the same.
#pragma once

#include <string>

#include "berth/records.h"

namespace berth {

// For a use that the quota does not take: "tenant acme has a quota of 6 cpu and would use 8".
std::string DescribeOverQuota(const Tenant& tenant, const ResourceTotals& used);

}  // namespace berth
