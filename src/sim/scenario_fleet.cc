#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "sim/scenario_verbs.h"

namespace berth {
namespace {

// "m{1..3}" is m1 m2 m3; several ranges in one word give every combination, the last one fastest.
Result<std::vector<std::string>> Expand(const Line& line, std::string_view word) {
  const std::size_t open = word.find('{');
  if (open == std::string_view::npos) return std::vector<std::string>{std::string(word)};
  const std::size_t dots = word.find("..", open);
  const std::size_t close = word.find('}', open);
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  const auto read = [&](std::size_t begin, std::size_t end, std::uint32_t& number) {
    const char* const stop = word.data() + end;
    const auto [parsed, error] = std::from_chars(word.data() + begin, stop, number);
    return error == std::errc() && parsed == stop;
  };
  const bool ok = close != std::string_view::npos && dots < close && read(open + 1, dots, first) &&
                  read(dots + 2, close, last) && first <= last &&
                  last - first < kScenarioMachinesMax;
  if (!ok) {
    return line.Error(
        fmt::format("{} is not a range of names; write it like m{{1..8}}", Quoted(word)));
  }
  BERTH_TRY(const std::vector<std::string> tails, Expand(line, word.substr(close + 1)));
  std::vector<std::string> all;
  for (std::uint32_t i = first; i <= last; ++i) {
    for (const std::string& tail : tails) {
      all.push_back(fmt::format("{}{}{}", word.substr(0, open), i, tail));
      if (all.size() > kScenarioMachinesMax) {
        return line.Error(fmt::format("{} is more than {} names; write fewer", Quoted(word),
                                      kScenarioMachinesMax));
      }
    }
  }
  return all;
}

// Where a machine stands, as written before its name: rack, or cluster/rack, or
// datacenter/cluster/rack, or datacenter/cluster/row/rack.
Result<Machine> PlaceOf(const Line& line, std::string_view path) {
  const std::vector<std::string_view> parts =
      path.empty() ? std::vector<std::string_view>() : Split(path, '/');
  const bool names = std::ranges::all_of(parts, [](std::string_view p) { return IsValidName(p); });
  if (parts.size() > 4 || !names) {
    return line.Error(
        fmt::format("{} says no place; write datacenter/cluster/row/rack/machine, or "
                    "the last of these",
                    Quoted(path)));
  }
  const std::size_t n = parts.size();
  Machine machine;
  machine.rack = RackId(n >= 1 ? parts[n - 1] : "r");
  machine.row = RowId(n == 4 ? parts[2] : "row");
  machine.cluster = ClusterId(n >= 2 ? parts[n == 4 ? 1 : n - 2] : "c");
  machine.datacenter = DatacenterId(n >= 3 ? parts[0] : "d");
  machine.sku = SkuId("standard");
  return machine;
}

// One word may stand for many machines; they are dealt over its racks in turn.
Status ReadPlaces(const Line& line, const std::string& word, std::vector<Machine>& machines) {
  const std::size_t slash = word.rfind('/');
  BERTH_TRY(const std::vector<std::string> paths,
            Expand(line, slash == std::string::npos ? "" : word.substr(0, slash)));
  BERTH_TRY(const std::vector<std::string> names,
            Expand(line, slash == std::string::npos ? word : word.substr(slash + 1)));
  for (std::size_t i = 0; i < names.size(); ++i) {
    BERTH_TRY(Machine machine, PlaceOf(line, paths[i % paths.size()]));
    if (!IsValidName(names[i])) {
      return line.Error(
          fmt::format("{} is no name for a machine; use 1 to 128 letters, digits, "
                      "'.', '_' or '-'",
                      Quoted(names[i])));
    }
    machine.name = MachineId(names[i]);
    const bool twice = std::ranges::find(machines, machine.name, &Machine::name) != machines.end();
    if (twice) {
      return line.Error(
          fmt::format("machine {} is named twice; a machine stands in one rack", names[i]));
    }
    machines.push_back(std::move(machine));
  }
  return {};
}

std::vector<Deed> Add(std::vector<Record> records) {
  return {Request{.what = ChangeFleet{.put = std::move(records), .remove = {}}}};
}

}  // namespace

Result<std::vector<Deed>> ReadMachines(Line& line) {
  std::vector<Machine> machines;
  do {
    BERTH_TRY(const std::string word, line.Next("a machine"));
    BERTH_RETURN_IF_ERROR(ReadPlaces(line, word, machines));
  } while (!line.Take(":") && !line.AtEnd());
  Machine common;
  common.sku = SkuId("standard");
  BERTH_TRY(common.capacity, line.Amounts());
  for (;;) {
    if (line.Take("sku")) {
      BERTH_TRY(const std::string sku, line.Name("a SKU"));
      common.sku = SkuId(sku);
    } else if (line.Take("domain")) {
      BERTH_TRY(const std::string domain, line.Name("an update domain"));
      common.update_domain = DomainId(domain);
    } else if (line.Take("label")) {
      BERTH_TRY(const Labels::value_type label, line.Label());
      AddLabel(common.labels, label);
    } else {
      break;
    }
  }
  std::vector<Record> records;
  for (Machine& machine : machines) {
    machine.capacity = common.capacity;
    machine.sku = common.sku;
    machine.update_domain = common.update_domain;
    machine.labels = common.labels;
    records.emplace_back(std::move(machine));
  }
  return Add(std::move(records));
}

Result<std::vector<Deed>> ReadType(Line& line) {
  InstanceType type;
  BERTH_TRY(const std::string name, line.Name("a name for a type"));
  type.name = TypeId(name);
  BERTH_RETURN_IF_ERROR(line.Expect(":"));
  BERTH_TRY(type.size, line.Amounts());
  for (;;) {
    if (line.Take("on")) {
      BERTH_TRY(const std::string sku, line.Name("a SKU"));
      type.skus.emplace_back(sku);
    } else if (line.Take("needs")) {
      BERTH_TRY(const Labels::value_type label, line.Label());
      AddLabel(type.requires_labels, label);
    } else {
      break;
    }
  }
  return Add({std::move(type)});
}

Result<std::vector<Deed>> ReadTenant(Line& line) {
  Tenant tenant;
  BERTH_TRY(const std::string name, line.Name("a name for a tenant"));
  tenant.name = TenantId(name);
  if (line.Take("quota")) {
    Resources unlimited;
    for (const Resource r : kAllResources) unlimited[r] = kUnlimited;
    BERTH_TRY(tenant.quota, line.Amounts(unlimited));
  }
  return Add({tenant});
}

}  // namespace berth
