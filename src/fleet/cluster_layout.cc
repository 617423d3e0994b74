#include "fleet/cluster_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "berth/check.h"
#include "fleet/fleet_file.h"

namespace berth {
namespace {

constexpr std::size_t kMachineDigitsMin = 4;
constexpr std::size_t kRackDigitsMin = 2;

// prefix + 1..count, in as many digits as make the order of names that of numbers.
template <typename Id>
std::vector<Id> Numbered(std::string_view prefix, std::uint32_t count, std::size_t digits_min) {
  const std::size_t digits = std::max(digits_min, fmt::format("{}", count).size());
  std::vector<Id> names;
  names.reserve(count);
  for (std::uint32_t i = 1; i <= count; ++i) {
    names.emplace_back(fmt::format("{}{:0{}}", prefix, i, digits));
  }
  return names;
}

// Which of `parts` even parts the index'th of `count` falls into.
std::size_t Part(std::uint64_t index, std::uint64_t count, std::uint64_t parts) {
  return static_cast<std::size_t>(index * parts / count);
}

}  // namespace

std::size_t MachineDigits(std::uint32_t machines) {
  return std::max(kMachineDigitsMin, fmt::format("{}", machines).size());
}

std::string MachineName(std::string_view cluster, std::uint32_t number, std::size_t digits) {
  return fmt::format("{}-{:0{}}", cluster, number, digits);
}

std::optional<NumberedName> SplitMachineName(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash + 1 == name.size()) return std::nullopt;
  const std::string_view digits = name.substr(dash + 1);
  NumberedName split{.cluster = name.substr(0, dash), .number = 0, .digits = digits.size()};
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), split.number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return split;
}

Labels Overlay(const Labels& below, const Labels& above) {
  Labels labels = above;
  for (const auto& label : below) {
    const bool hidden =
        std::ranges::any_of(above, [&](const auto& upper) { return upper.first == label.first; });
    if (!hidden) labels.push_back(label);
  }
  std::ranges::sort(labels);
  return labels;
}

std::vector<Machine> LayOut(const ClusterLayout& layout, const Sku& sku) {
  BERTH_CHECK(layout.racks >= 1 && layout.racks <= layout.machines);
  BERTH_CHECK(layout.rows >= 1 && layout.rows <= layout.racks && layout.update_domains >= 1);
  const auto rows = Numbered<RowId>("r", layout.rows, 1);
  const auto racks = Numbered<RackId>("k", layout.racks, kRackDigitsMin);
  const auto domains = Numbered<DomainId>("ud", layout.update_domains, 1);
  const std::size_t digits = MachineDigits(layout.machines);
  const Labels labels = Overlay(sku.labels, layout.labels);
  std::vector<Machine> machines;
  machines.reserve(layout.machines);
  for (std::uint32_t i = 0; i < layout.machines; ++i) {
    const std::size_t rack = Part(i, layout.machines, layout.racks);
    machines.push_back({.name = MachineId(MachineName(layout.name.str(), i + 1, digits)),
                        .datacenter = layout.datacenter,
                        .cluster = layout.name,
                        .row = rows[Part(rack, layout.racks, layout.rows)],
                        .rack = racks[rack],
                        .update_domain = domains[i % layout.update_domains],
                        .sku = sku.name,
                        .capacity = sku.capacity,
                        .labels = labels,
                        .health = Health::kReady});
  }
  return machines;
}

}  // namespace berth
