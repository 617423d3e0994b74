#include <fmt/format.h>

#include <ostream>

#include "base/document.h"
#include "cli/commands/builtin.h"
#include "cli/read_store.h"
#include "engine/policy.h"
#include "fleet/judge.h"
#include "report/defragment_report.h"
#include "report/table.h"

namespace berth {
namespace {

// The fleet as it would be under another policy; nothing that runs may need what it leaves out.
Status PutPolicy(const std::string& file, Inventory& fleet) {
  BERTH_TRY(std::string text, ReadText(file));
  BERTH_RETURN_IF_ERROR(CheckPolicy(text, file));
  const ChangeSet change{.operations = {Put{PolicyText{std::move(text)}}},
                         .seen = fleet.revision(),
                         .at = {},
                         .guard = {}};
  const Judgement judgement = Judge(fleet, change, change.at);
  if (judgement.violation) {
    return Status(Code::kFailedPrecondition,
                  fmt::format("{}: {}", file, judgement.violation->because));
  }
  for (const Update& update : judgement.updates) fleet.Install(update);
  return {};
}

int RunWhatIfDefragment(const Invocation& given, Console& console) {
  const Result<std::unique_ptr<StoreReader>> reader = StoreReader::Open(given.Text("--store"));
  if (!reader.ok()) return console.Fail(reader.status());
  Inventory fleet = reader.value()->inventory();
  if (given.Has("--policy")) {
    if (const Status status = PutPolicy(given.Text("--policy"), fleet); !status.ok())
      return console.Fail(status);
  }
  const Result<AllocatePolicy> policy = PolicyInForce(fleet);
  if (!policy.ok()) return console.Fail(policy.status());
  const std::uint64_t moves_max = given.Number("--moves");
  const DefragmentPlan plan = PlanDefragmentation(policy.value(), fleet, moves_max);
  if (given.Has("--json")) {
    console.out << ToJson(plan) << '\n';
    return kExitOk;
  }
  std::string_view between;
  for (const Table& table : DefragmentTables(plan, moves_max)) {
    console.out << std::exchange(between, "\n") << FormatTable(table);
  }
  return kExitOk;
}

}  // namespace

Command WhatIfDefragment() {
  return {.words = "what-if defragment",
          .summary = "find the few moves that would empty machines, and what that would gain",
          .arguments = {},
          .options = {kStoreOption,
                      {"--policy", "FILE", "choose by this policy; without it by the store's own"},
                      {"--moves", "N", "at most so many moves", false, "20"},
                      kJsonOption},
          .examples = {"berth what-if defragment --store berth-accepted",
                       "berth what-if defragment --store berth-accepted --moves 5 --json"},
          .run = RunWhatIfDefragment};
}

}  // namespace berth
