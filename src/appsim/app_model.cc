#include "appsim/app_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "appsim/call_tree.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr double kSpreadMax = 1e18;               // Of bytes and the like; of times kAppMicrosMax.
constexpr std::size_t kAppValuesMax = 5'000'000;  // Steps times services and request types.

// Collects the first thing that is wrong.
class ModelCheck {
 public:
  explicit ModelCheck(const AppModel& model) : model_(model) {}

  Status Run() {
    Count("services", model_.services.size(), 1, kAppServicesMax);
    Count("request types", model_.request_types.size(), 1, kAppRequestTypesMax);
    Count("node types", model_.node_types.size(), 1, kVmTypesMax);
    Count("regions", model_.regions.size(), 1, kAppRegionsMax);
    Length("duration", model_.duration, 1);
    Length("metric step", model_.metric_step, 1);
    if (!status_.ok()) return status_;
    const auto steps = static_cast<std::size_t>(model_.duration / model_.metric_step);
    Require(steps <= kAppStepsMax &&
                steps * (model_.services.size() + model_.request_types.size()) <= kAppValuesMax,
            "metric step", "is too short for the duration; take a longer one");
    for (const AppService& service : model_.services) Service(service);
    if (status_.ok()) Cycles();
    for (const AppRequestType& type : model_.request_types) Type(type);
    for (const AppNodeType& type : model_.node_types) NodeType(type);
    for (const AppRegion& region : model_.regions) Region(region);
    return status_;
  }

 private:
  void Require(bool holds, std::string_view what, std::string_view wrong) {
    if (holds || !status_.ok()) return;
    status_ = Status(Code::kInvalidArgument, where_.empty()
                                                 ? fmt::format("{} {}", what, wrong)
                                                 : fmt::format("{}: {} {}", where_, what, wrong));
  }
  void Count(std::string_view what, std::size_t count, std::size_t min, std::size_t max) {
    Require(count >= min && count <= max, what,
            fmt::format("are {}; there must be {} to {}", FormatCount(count), FormatCount(min),
                        FormatCount(max)));
  }
  void Length(std::string_view what, Duration length, std::int64_t min) {
    Require(length.count() >= min && length.count() <= kAppMicrosMax, what,
            fmt::format("must be {}at most 400 days", min > 0 ? "above zero and " : ""));
  }
  void Number(std::string_view what, double value, double max) {
    Require(std::isfinite(value) && value >= 0 && value <= max, what,
            fmt::format("must be a number from 0 to {:g}", max));
  }
  void Check(std::string_view what, const Spread& spread, double max) {
    Number(what, spread.mean, max);
    Number(what, spread.deviation, max);
  }
  void Check(std::string_view what, const SpreadUse& use) {
    for (std::size_t r = 0; r < kUsedCount; ++r) {
      Check(what, use[r], static_cast<double>(kAppAmountMax[r]));
    }
  }

  void Service(const AppService& service) {
    where_ = fmt::format("service {}", Quoted(service.name));
    for (const std::size_t next : service.next) {
      Require(next < model_.services.size(), "next", "names a service that there is not");
    }
    Check("idle", service.idle);
    Require(service.work_milli > 0 && service.work_milli <= 1'000'000'000, "work",
            "must be above 0 and at most 1,000,000 cpu");
    Check("boot", service.boot, static_cast<double>(kAppMicrosMax));
    Check("termination", service.termination, static_cast<double>(kAppMicrosMax));
  }

  // Takes away services that nobody left calls until none is left; in a cycle some are.
  void Cycles() {
    std::vector<std::size_t> callers(model_.services.size()), free;
    for (const AppService& service : model_.services) {
      for (const std::size_t next : service.next) ++callers[next];
    }
    free.reserve(callers.size());
    for (std::size_t i = 0; i < callers.size(); ++i) {
      if (callers[i] == 0) free.push_back(i);
    }
    for (std::size_t i = 0; i < free.size(); ++i) {
      for (const std::size_t next : model_.services[free[i]].next) {
        if (--callers[next] == 0) free.push_back(next);
      }
    }
    if (free.size() == callers.size()) return;
    const auto in_cycle = std::ranges::find_if(callers, [](std::size_t n) { return n > 0; });
    where_ = fmt::format(
        "service {}",
        Quoted(model_.services[static_cast<std::size_t>(in_cycle - callers.begin())].name));
    Require(false, "next", "leads back to where it came from; let nobody call its callers");
  }

  void Type(const AppRequestType& type) {
    where_ = fmt::format("request type {}", Quoted(type.name));
    Require(type.entry < model_.services.size(), "entry", "names a service that there is not");
    Require(type.times.size() == model_.services.size(), "times", "must be given by service");
    Require(type.visits.empty() || type.visits.size() == model_.services.size(), "visits",
            "must be given by service");
    for (const AppTimes& times : type.times) {
      Check("upstream time", times.upstream, static_cast<double>(kAppMicrosMax));
      Check("downstream time", times.downstream, static_cast<double>(kAppMicrosMax));
    }
    Check("need", type.need);
    Check("request size", type.request_bytes, kSpreadMax);
    Check("response size", type.response_bytes, kSpreadMax);
    Length("timeout", type.timeout, 1);
    Length("target", type.target, 0);
    if (!status_.ok()) return;
    const auto calls = UnfoldCalls(model_, type);
    if (!calls.ok()) status_ = calls.status();
  }

  void NodeType(const AppNodeType& type) {
    where_ = fmt::format("node type {}", Quoted(type.vm.name));
    Check("boot", type.boot, static_cast<double>(kAppMicrosMax));
    Check("termination", type.termination, static_cast<double>(kAppMicrosMax));
    Length("latency", type.latency, 0);
    Require(type.vm.hour_micros >= 0, "price", "must not be negative");
    Burst(type.burst, type.vm.capacity[Resource::kCpu]);
    for (std::size_t r = 0; r < kUsedCount; ++r) {
      const std::int64_t amount = type.vm.capacity[kAllResources[r]];
      Require(amount >= 0 && amount <= kAppAmountMax[r], ResourceName(kAllResources[r]),
              fmt::format("must be at most {}", FormatAmount(kAllResources[r], kAppAmountMax[r])));
    }
  }

  void Burst(const CpuBurst& burst, std::int64_t cpu_milli) {
    Require(burst.baseline_milli >= 0 && burst.baseline_milli <= cpu_milli, "baseline",
            "must be at most the cpu of the node");
    Require(burst.most >= 0 && burst.most <= kAppCreditsMax * kCpuCredit, "credits",
            fmt::format("must be 0 to {}", FormatCount(kAppCreditsMax)));
    Require(burst.start >= 0 && burst.start <= burst.most, "credits",
            "at the start must not be more than it can hold");
  }

  void Region(const AppRegion& region) {
    where_ = fmt::format("region {}", Quoted(region.name));
    Length("user latency", region.user_latency, 0);
    Require(region.user_network_mbit >= 0 && region.user_network_mbit <= 1'000'000'000,
            "user network", "must be 0 to 1,000,000,000 Mbit/s");
    std::uint64_t instances = 0;
    for (const VmGroup& group : region.deployment) {
      Require(group.type < model_.node_types.size(), "deployment",
              "names a node type that there is not");
      Require(group.instances.size() <= model_.services.size(), "deployment",
              "has instances of services that there are not");
      Require(group.count <= kAppAliveMax, "deployment", "has too many nodes");
      if (!status_.ok()) return;
      std::uint64_t on_node = 1;
      for (const std::uint32_t count : group.instances) on_node += count;
      instances += group.count * on_node;
      Require(instances <= kAppAliveMax, "deployment",
              fmt::format("has more than {} nodes and instances", FormatCount(kAppAliveMax)));
    }
    for (const AppLoad& load : region.loads) {
      Require(load.request_type < model_.request_types.size(), "load",
              "names a request type that there is not");
      Length("load step", load.step, 1);
      Require(load.rates.size() <= kAppStepsMax, "load",
              fmt::format("has more than {} steps", FormatCount(kAppStepsMax)));
      for (const double rate : load.rates) Number("load rate", rate, kAppRateMax);
      Number("load deviation", load.deviation, kAppRateMax);
    }
  }

  const AppModel& model_;
  std::string where_;
  Status status_;
};

}  // namespace

Status CheckAppModel(const AppModel& model) { return ModelCheck(model).Run(); }

}  // namespace berth
