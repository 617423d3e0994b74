#include <fmt/format.h>

#include <array>
#include <ostream>

#include "base/text.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "cli/plan_from_files.h"
#include "report/plan_report.h"
#include "report/table.h"
#include "report/write.h"
#include "scale/space/scaling_plan.h"

namespace berth {
namespace {

Time FromMilliseconds(std::int64_t at_ms) { return Time(std::chrono::milliseconds(at_ms)); }

Result<ShownPlan> PlanFromMessage(const v1::ScalingPlan& message) {
  ShownPlan shown{.plan = {.made = FromMilliseconds(message.made_ms())}};
  for (const std::string& service : message.services()) {
    shown.application.services.push_back({.name = service});
  }
  for (const v1::PlannedState& state : message.states()) {
    shown.plan.states.push_back({.at = FromMilliseconds(state.at_ms()),
                                 .instances = {state.instances().begin(), state.instances().end()},
                                 .low = {state.low().begin(), state.low().end()},
                                 .high = {state.high().begin(), state.high().end()},
                                 .why = state.why()});
    const PlannedState& added = shown.plan.states.back();
    for (const InstanceCounts* counts : {&added.instances, &added.low, &added.high}) {
      const bool whole = counts->size() == shown.application.services.size() ||
                         (counts->empty() && counts != &added.instances);
      if (!whole) return Status(Code::kInternal, "the server sent a plan that is not whole");
    }
  }
  shown.plan.notes.assign(message.notes().begin(), message.notes().end());
  return shown;
}

Result<ShownPlan> PlanFromServer(const Invocation& given) {
  v1::GetPlanRequest request;
  request.set_service(given.Text("SERVICE"));
  BERTH_TRY(const std::unique_ptr<Client> client, Client::Connect(given));
  BERTH_TRY(const v1::ScalingPlan message, client->Call(&v1::Berth::Stub::GetPlan, request));
  if (message.made_ms() == 0) {
    return Status(
        Code::kUnavailable,
        fmt::format("there is no plan of {} yet: {}", message.application(),
                    message.trouble().empty() ? "it is being made; ask again" : message.trouble()));
  }
  BERTH_TRY(ShownPlan shown, PlanFromMessage(message));
  if (!message.trouble().empty()) {
    shown.plan.notes.push_back(fmt::format("no newer one: {}", message.trouble()));
  }
  return shown;
}

// A service's plan is the server's, and everything else is from files.
Result<ShownPlan> PlanAskedFor(const Invocation& given) {
  constexpr std::array<std::string_view, 3> kNeeded = {"--load", "--policy", "--model"};
  constexpr std::array<std::string_view, 5> kOfFiles = {"--load", "--policy", "--model", "--prices",
                                                        "--instances"};
  if (given.Has("SERVICE")) {
    for (const std::string_view option : kOfFiles) {
      if (!given.Has(option)) continue;
      return Status(
          Code::kInvalidArgument,
          fmt::format("{} is for a plan from files; leave it, or the service, out", option));
    }
    return PlanFromServer(given);
  }
  for (const std::string_view option : kNeeded) {
    if (given.Has(option)) continue;
    return Status(
        Code::kInvalidArgument,
        fmt::format("{} is missing; name a service, to ask a server for its plan, or give "
                    "{}, to make one from files",
                    option, fmt::join(kNeeded, ", ")));
  }
  return PlanFromFiles(given);
}

int RunPlan(const Invocation& given, Console& console) {
  const Result<ShownPlan> asked = PlanAskedFor(given);
  if (!asked.ok()) return console.Fail(asked.status());
  const auto& [plan, application] = asked.value();
  if (given.Has("--report")) {
    const Report report =
        PlanReport(plan, application, CommandLine(PlanCommand(), given, {"--json", "--report"}));
    const Status status = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!status.ok()) return console.Fail(status);
  }
  if (given.Has("--json")) {
    console.out << PlanToJson(plan, application);
    return kExitOk;
  }
  console.out << FormatTable(PlanTable(plan, application));
  if (given.Has("--report")) {
    console.out << fmt::format("\nReport: {0}/report.html, {0}/report.json\n",
                               given.Text("--report"));
  }
  return kExitOk;
}

}  // namespace

Command PlanCommand() {
  return {
      .words = "plan",
      .summary = "the coming hours of an application: when to order how many instances and nodes",
      .arguments = {{.name = "SERVICE",
                     .about =
                         "whose application's plan a server is asked for; without it, the plan "
                         "is made from files",
                     .optional = true}},
      .options =
          {{"--load", "FILE",
            "CSV: times, and a column METRIC of all or SERVICE.METRIC of one service"},
           {"--policy", "FILE",
            "YAML: how it is scaled, see docs/predictive-scaling.md; FILE@LEARNED: with what "
            "`berth train` learned"},
           {"--model", "FILE", "YAML: services, what an instance needs and takes to boot"},
           {"--prices", "FILE", "YAML: node types and prices; without it nodes are left out"},
           {"--instances", "SERVICE=N,...",
            "that run now; otherwise the least that the model says"},
           {"--report", "DIR", "write report.html and report.json there"},
           kServerOption,
           kTokenOption,
           kCaOption,
           kCertOption,
           kJsonOption},
      .examples = {"berth plan --load testdata/plan/shop.csv --policy "
                   "testdata/plan/policies/predictive.yaml --model testdata/capacity/model.yaml "
                   "--prices testdata/capacity/prices.yaml --instances web=6,search=6",
                   "berth plan --load testdata/plan/shop.csv --policy "
                   "testdata/plan/policies/reactive.yaml --model testdata/capacity/model.yaml "
                   "--instances web=12,search=8 --json",
                   "berth plan shop"},
      .run = RunPlan};
}

}  // namespace berth
