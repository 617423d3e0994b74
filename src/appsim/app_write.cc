#include "appsim/app_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace berth {
namespace {

constexpr std::array<std::string_view, 4> kOrderNames = {"fifo", "lifo", "oldest_first",
                                                         "priority"};

// In the largest unit that is exact.
std::string LengthText(std::int64_t us) {
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> kUnits = {
      {{3'600'000'000, "h"}, {60'000'000, "m"}, {1'000'000, "s"}, {1'000, "ms"}}};
  for (const auto& [size, name] : kUnits) {
    if (us % size == 0 && us != 0) return fmt::format("{}{}", us / size, name);
  }
  return fmt::format("{}us", us);
}

std::string Micros(double us) { return LengthText(std::llround(us)); }

std::string Units(Resource resource, double amount) {
  return FormatAmount(resource, std::llround(amount));
}

// "5us", "{mean: 5us, deviation: 1us}" or "{exponential: 5us}".
template <typename InUnits>
std::string SpreadText(const Spread& spread, InUnits in_units) {
  switch (spread.kind) {
    case Spread::Kind::kConstant:
      return in_units(spread.mean);
    case Spread::Kind::kNormal:
      return fmt::format("{{mean: {}, deviation: {}}}", in_units(spread.mean),
                         in_units(spread.deviation));
    case Spread::Kind::kExponential:
      return fmt::format("{{exponential: {}}}", in_units(spread.mean));
  }
  return {};
}

bool IsNothing(const Spread& spread) { return spread.mean == 0 && spread.deviation == 0; }

// ", key: value" for what is not nothing, within braces.
class FlowMap {
 public:
  void Add(std::string_view key, std::string_view value) {
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", key, value);
  }
  void AddTime(std::string_view key, const Spread& spread) {
    if (!IsNothing(spread)) Add(key, SpreadText(spread, Micros));
  }
  void AddTime(std::string_view key, Duration length) {
    if (length.count() != 0) Add(key, LengthText(length.count()));
  }
  void AddBytes(std::string_view key, const Spread& spread) {
    if (IsNothing(spread)) return;
    Add(key, SpreadText(spread, [](double bytes) { return Units(Resource::kMemory, bytes); }));
  }
  void AddResources(const Resources& resources) {
    for (const Resource r : kAllResources) {
      if (resources[r] != 0) Add(ResourceName(r), FormatAmount(r, resources[r]));
    }
  }
  bool empty() const { return text_.empty(); }
  std::string Braced() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

void AddUse(FlowMap& map, std::string_view key, const SpreadUse& use) {
  FlowMap parts;
  for (std::size_t i = 0; i < kUsedCount; ++i) {
    if (IsNothing(use[i])) continue;
    const Resource r = kAllResources[i];
    parts.Add(ResourceName(r), SpreadText(use[i], [r](double amount) { return Units(r, amount); }));
  }
  if (!parts.empty()) map.Add(key, parts.Braced());
}

class AppWriter {
 public:
  explicit AppWriter(const AppModel& model) : model_(model) {}

  std::string Write() {
    out_ = fmt::format("duration: {}\nmetric_step: {}\n", LengthText(model_.duration.count()),
                       LengthText(model_.metric_step.count()));
    if (!model_.deployed_before) out_ += "deployed_before: false\n";
    out_ += "node_types:\n";
    for (const AppNodeType& type : model_.node_types) NodeType(type);
    out_ += "services:\n";
    for (const AppService& service : model_.services) Service(service);
    out_ += "requests:\n";
    for (const AppRequestType& type : model_.request_types) RequestType(type);
    out_ += "regions:\n";
    for (const AppRegion& region : model_.regions) Region(region);
    return std::move(out_);
  }

 private:
  void Item(const FlowMap& map) { out_ += fmt::format("  - {}\n", map.Braced()); }

  void NodeType(const AppNodeType& type) {
    FlowMap map;
    map.Add("provider", type.vm.provider);
    map.Add("name", type.vm.name);
    map.AddResources(type.vm.capacity);
    if (type.vm.hour_micros > 0) {
      map.Add("price", fmt::format("{}.{:06}", type.vm.hour_micros / kMicros,
                                   type.vm.hour_micros % kMicros));
    }
    map.AddTime("boot", type.boot);
    map.AddTime("termination", type.termination);
    map.AddTime("latency", type.latency);
    if (type.burst.baseline_milli > 0) map.Add("burst", Burst(type));
    Item(map);
  }

  static std::string Burst(const AppNodeType& type) {
    const auto credits = [](std::int64_t amount) {
      return fmt::format("{}", static_cast<double>(amount) / static_cast<double>(kCpuCredit));
    };
    FlowMap map;
    map.Add("baseline",
            fmt::format("{}", static_cast<double>(type.burst.baseline_milli) /
                                  static_cast<double>(type.vm.capacity[Resource::kCpu])));
    map.Add("most", credits(type.burst.most));
    map.Add("start", credits(type.burst.start));
    return map.Braced();
  }

  std::string Buffer(const AppBuffer& buffer) const {
    FlowMap map;
    map.Add("order", kOrderNames[static_cast<std::size_t>(buffer.order)]);
    FlowMap capacities;
    for (std::size_t t = 0; t < buffer.capacity.size(); ++t) {
      if (buffer.capacity[t] == 0) continue;
      capacities.Add(model_.request_types[t].name, fmt::format("{}", buffer.capacity[t]));
    }
    if (!capacities.empty()) map.Add("capacity", capacities.Braced());
    return map.Braced();
  }

  static bool IsPlain(const AppBuffer& buffer) {
    return buffer.order == BufferOrder::kFifo &&
           std::ranges::all_of(buffer.capacity, [](std::uint32_t most) { return most == 0; });
  }

  void Service(const AppService& service) {
    FlowMap map;
    map.Add("name", service.name);
    FlowMap limits;
    limits.AddResources(service.need);
    if (!limits.empty()) map.Add("limits", limits.Braced());
    AddUse(map, "idle", service.idle);
    map.Add("work", FormatAmount(Resource::kCpu, service.work_milli));
    map.AddTime("boot", service.boot);
    map.AddTime("termination", service.termination);
    if (!service.next.empty()) {
      std::string names;
      for (const std::size_t next : service.next) {
        names += (names.empty() ? "" : ", ") + model_.services[next].name;
      }
      map.Add("calls", "[" + names + "]");
    }
    if (!IsPlain(service.upstream)) map.Add("upstream", Buffer(service.upstream));
    if (!IsPlain(service.downstream)) map.Add("downstream", Buffer(service.downstream));
    Item(map);
  }

  void RequestType(const AppRequestType& type) {
    FlowMap map;
    map.Add("name", type.name);
    map.Add("entry", model_.services[type.entry].name);
    map.AddTime("timeout", type.timeout);
    map.AddTime("target", type.target);
    if (type.priority != 0) map.Add("priority", fmt::format("{}", type.priority));
    AddUse(map, "need", type.need);
    map.AddBytes("request_size", type.request_bytes);
    map.AddBytes("response_size", type.response_bytes);
    if (!type.visits.empty()) {
      std::string names;
      for (std::size_t s = 0; s < type.visits.size(); ++s) {
        if (type.visits[s]) names += (names.empty() ? "" : ", ") + model_.services[s].name;
      }
      map.Add("visits", "[" + names + "]");
    }
    FlowMap times;
    for (std::size_t s = 0; s < type.times.size(); ++s) {
      FlowMap ways;
      ways.AddTime("upstream", type.times[s].upstream);
      ways.AddTime("downstream", type.times[s].downstream);
      if (!ways.empty()) times.Add(model_.services[s].name, ways.Braced());
    }
    map.Add("times", times.Braced());
    Item(map);
  }

  void Group(const VmGroup& group) {
    FlowMap map;
    map.Add("type", model_.node_types[group.type].vm.name);
    map.Add("count", fmt::format("{}", group.count));
    FlowMap instances;
    for (std::size_t s = 0; s < group.instances.size(); ++s) {
      if (group.instances[s] == 0) continue;
      instances.Add(model_.services[s].name, fmt::format("{}", group.instances[s]));
    }
    map.Add("instances", instances.Braced());
    out_ += fmt::format("      - {}\n", map.Braced());
  }

  void Load(const AppLoad& load) {
    out_ += "      - levels:\n";
    for (const double rate : load.rates) {
      out_ +=
          fmt::format("          - {{for: {}, rate: {}}}\n", LengthText(load.step.count()), rate);
    }
    if (load.deviation > 0) out_ += fmt::format("        deviation: {}\n", load.deviation);
    if (load.arrivals == AppLoad::Arrivals::kEven) out_ += "        arrivals: even\n";
    out_ +=
        fmt::format("        requests: {{{}: 1}}\n", model_.request_types[load.request_type].name);
  }

  void Region(const AppRegion& region) {
    out_ += fmt::format("  - name: {}\n", region.name);
    if (region.user_latency.count() != 0) {
      out_ += fmt::format("    user_latency: {}\n", LengthText(region.user_latency.count()));
    }
    if (region.user_network_mbit != 0) {
      out_ += fmt::format("    user_network: {}\n",
                          FormatAmount(Resource::kNetwork, region.user_network_mbit));
    }
    out_ += "    nodes:\n";
    for (const VmGroup& group : region.deployment) Group(group);
    out_ += "    load:\n";
    for (const AppLoad& load : region.loads) Load(load);
  }

  const AppModel& model_;
  std::string out_;
};

}  // namespace

std::string WriteAppFile(const AppModel& model) { return AppWriter(model).Write(); }

}  // namespace berth
