// Plans of the balancer as messages, and back.
#pragma once

#include "berth.pb.h"
#include "berth/status.h"
#include "oversub/balance_plan.h"

namespace berth {

// Of the machines at risk a reply lists the first so many.
inline constexpr std::size_t kAtRiskMax = 1000;

void ToMessage(const BalancePlan& plan, v1::WhatIfBalanceReply& message);
Result<BalancePlan> ToBalancePlan(const v1::WhatIfBalanceReply& message);

}  // namespace berth
