#include <fmt/format.h>

#include <memory>

#include "engine/balance.h"
#include "oversub/trace_library.h"
#include "serve/balance_messages.h"
#include "serve/handlers/builtin.h"
#include "serve/kept_usage.h"

namespace berth {
namespace {

constexpr std::uint32_t kBalanceMovesMax = 1000;
constexpr std::uint32_t kBalanceMovesOtherwise = 20;

struct WantedBalance {
  std::shared_ptr<const Inventory> fleet;
  std::shared_ptr<const TraceLibrary> demand;
  Time now;
  std::uint32_t moves = 0;
  std::uint64_t seed = 0;
};

Result<v1::WhatIfBalanceReply> BalancePlanFor(const WantedBalance& wanted,
                                              const UsageByInstance& usage) {
  BERTH_TRY(const BalancePlan plan, PlanBalanceInForce({.fleet = *wanted.fleet,
                                                        .usage = usage,
                                                        .demand = *wanted.demand,
                                                        .now = wanted.now,
                                                        .moves_max = wanted.moves,
                                                        .seed = wanted.seed}));
  v1::WhatIfBalanceReply reply;
  ToMessage(plan, reply);
  return reply;
}

void Balance(Zone& zone, const v1::WhatIfBalanceRequest& request,
             const Respond<v1::WhatIfBalanceReply>& respond) {
  if (request.moves() > kBalanceMovesMax) {
    return respond(Status(Code::kInvalidArgument, fmt::format("moves is {}, and {} is the most",
                                                              request.moves(), kBalanceMovesMax)));
  }
  WantedBalance wanted{.fleet = {},
                       .demand = zone.engine().demand(),
                       .now = zone.decides().now(),
                       .moves = request.moves() == 0 ? kBalanceMovesOtherwise : request.moves(),
                       .seed = request.seed() == 0 ? 1 : request.seed()};
  // The fleet, then what is kept of its usage on its thread, then the plan where it delays nobody.
  zone.store().Read(
      zone.ponders(), [&zone, wanted = std::move(wanted),
                       respond](const Result<std::shared_ptr<const Inventory>>& snapshot) mutable {
        if (!snapshot.ok()) return respond(snapshot.status());
        wanted.fleet = snapshot.value();
        zone.observer().UseRecords([&zone, wanted, respond](const UsageRecords& records) {
          Result<UsageInRecords> seen = UsageOfInstances(records, *wanted.fleet);
          zone.ponders().Post([wanted, respond, seen = std::move(seen)] {
            respond(seen.ok() ? BalancePlanFor(wanted, seen.value().usage) : seen.status());
          });
          return Status();
        });
      });
}

}  // namespace

void AddWhatIfBalanceHandlers(HandlerTable& table) { AddHandler(table, "WhatIfBalance", Balance); }

}  // namespace berth
