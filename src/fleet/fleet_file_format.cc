// Writing fleet files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "berth/check.h"
#include "fleet/cluster_layout.h"
#include "fleet/fleet_file.h"

namespace berth {
namespace {

// Names are plain text to YAML, except those that start like a number or mean nothing or a truth.
std::string Plain(std::string_view name) {
  constexpr std::array<std::string_view, 5> kWords = {"null", "Null", "NULL", "true", "false"};
  const bool letter =
      !name.empty() && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  const bool word = std::ranges::find(kWords, name) != kWords.end();
  return letter && !word ? std::string(name) : fmt::format("\"{}\"", name);
}

std::string FormatLabels(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += fmt::format("{}{}: \"{}\"", text.empty() ? "" : ", ", Plain(name.str()), value.str());
  }
  return fmt::format("{{{}}}", text);
}

// One "- {name: ..., ...}" of a list.
class Line {
 public:
  explicit Line(std::string_view name) { Add("name", Plain(name)); }

  Line& Add(std::string_view key, std::string_view value) {
    fields_ += fmt::format("{}{}: {}", fields_.empty() ? "" : ", ", key, value);
    return *this;
  }
  // The amounts that are not the same as `unless`.
  Line& AddResources(const Resources& resources, const Resources& unless) {
    for (const Resource r : kAllResources) {
      if (resources[r] != unless[r]) Add(ResourceName(r), FormatAmount(r, resources[r]));
    }
    return *this;
  }
  Line& AddLabels(const Labels& labels) {
    return labels.empty() ? *this : Add("labels", FormatLabels(labels));
  }
  std::string str() const { return fmt::format("  - {{{}}}\n", fields_); }

 private:
  std::string fields_;
};

// Those of `labels` that `base` does not have.
Labels Beyond(const Labels& labels, const Labels& base) {
  Labels beyond;
  std::ranges::set_difference(labels, base, std::back_inserter(beyond));
  return beyond;
}

struct ClusterLines {
  std::string group;      // Empty: its machines are not laid out evenly.
  std::string overrides;  // What differs, and all of them if there is no group.
};

class ClusterWriter {
 public:
  ClusterWriter(const Sku& sku, std::vector<const Machine*> machines)
      : sku_(sku), machines_(std::move(machines)) {}

  ClusterLines Write() {
    layout_.name = machines_.front()->cluster;
    layout_.datacenter = machines_.front()->datacenter;
    layout_.labels = CommonLabels();
    const std::vector<Machine> even = Even();
    const Labels base = Overlay(sku_.labels, layout_.labels);
    ClusterLines lines;
    if (!even.empty()) lines.group = Group();
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      if (i < even.size()) {
        lines.overrides += Override(*machines_[i], even[i]);
      } else {
        lines.overrides += ByHand(*machines_[i], even.empty() ? sku_.labels : base);
      }
    }
    return lines;
  }

 private:
  // Labels that all of the cluster's machines carry and the SKU does not.
  Labels CommonLabels() const {
    Labels common = machines_.front()->labels;
    for (const Machine* machine : machines_) {
      Labels both;
      std::ranges::set_intersection(common, machine->labels, std::back_inserter(both));
      common = std::move(both);
    }
    return Beyond(common, sku_.labels);
  }

  // The machines as an even layout has them, first in machines_; empty if they are not so.
  std::vector<Machine> Even() {
    const auto numbered =
        std::stable_partition(machines_.begin(), machines_.end(), [&](const Machine* machine) {
          const auto split = SplitMachineName(machine->name.str());
          return split && split->cluster == layout_.name.str();
        });
    std::ranges::sort(machines_.begin(), numbered, {}, &Machine::name);
    const auto count = static_cast<std::size_t>(numbered - machines_.begin());
    std::set<RowId> rows;
    std::set<std::pair<RowId, RackId>> racks;
    std::set<DomainId> domains;
    for (std::size_t i = 0; i < count; ++i) {
      rows.insert(machines_[i]->row);
      racks.emplace(machines_[i]->row, machines_[i]->rack);
      domains.insert(machines_[i]->update_domain);
    }
    if (count == 0) return {};
    layout_.machines = static_cast<std::uint32_t>(count);
    layout_.racks = static_cast<std::uint32_t>(racks.size());
    layout_.rows = static_cast<std::uint32_t>(rows.size());
    layout_.update_domains =
        static_cast<std::uint32_t>(std::min<std::size_t>(domains.size(), kUpdateDomainsMax));
    std::vector<Machine> even = LayOut(layout_, sku_);
    for (std::size_t i = 0; i < count; ++i) {
      const Machine& is = *machines_[i];
      if (is.name != even[i].name || is.row != even[i].row || is.rack != even[i].rack) return {};
    }
    return even;
  }

  std::string Group() const {
    return Line(layout_.name.str())
        .Add("datacenter", Plain(layout_.datacenter.str()))
        .Add("sku", Plain(sku_.name.str()))
        .Add("machines", fmt::format("{}", layout_.machines))
        .Add("racks", fmt::format("{}", layout_.racks))
        .Add("rows", fmt::format("{}", layout_.rows))
        .Add("update_domains", fmt::format("{}", layout_.update_domains))
        .AddLabels(layout_.labels)
        .str();
  }

  static void AddDifferences(Line& line, const Machine& is, const Machine& otherwise) {
    if (is.update_domain != otherwise.update_domain) {
      line.Add("update_domain", Plain(is.update_domain.str()));
    }
    if (is.health != otherwise.health) line.Add("health", ToString(is.health));
    line.AddResources(is.capacity, otherwise.capacity);
    line.AddLabels(Beyond(is.labels, otherwise.labels));
  }

  static std::string Override(const Machine& is, const Machine& otherwise) {
    if (is == otherwise) return {};
    Line line(is.name.str());
    AddDifferences(line, is, otherwise);
    return line.str();
  }

  std::string ByHand(const Machine& machine, const Labels& labels) const {
    Line line(machine.name.str());
    line.Add("datacenter", Plain(machine.datacenter.str()))
        .Add("cluster", Plain(machine.cluster.str()))
        .Add("row", Plain(machine.row.str()))
        .Add("rack", Plain(machine.rack.str()))
        .Add("sku", Plain(sku_.name.str()));
    Machine otherwise;
    otherwise.update_domain = DomainId(kDefaultUpdateDomain);
    otherwise.capacity = sku_.capacity;
    otherwise.labels = labels;
    AddDifferences(line, machine, otherwise);
    return line.str();
  }

  const Sku& sku_;
  std::vector<const Machine*> machines_;
  ClusterLayout layout_;
};

void AddList(std::string& text, std::string_view key, const std::string& lines) {
  if (!lines.empty()) text += fmt::format("{}:\n{}", key, lines);
}

void AddMachines(std::string& text, const FleetFile& file) {
  std::vector<ClusterId> order;
  std::map<ClusterId, std::vector<const Machine*>> clusters;
  for (const Machine& machine : file.machines) {
    auto& machines = clusters[machine.cluster];
    if (machines.empty()) order.push_back(machine.cluster);
    machines.push_back(&machine);
  }
  ClusterLines all;
  for (const ClusterId name : order) {
    std::vector<const Machine*>& machines = clusters[name];
    const auto sku = std::ranges::find(file.skus, machines.front()->sku, &Sku::name);
    BERTH_CHECK(sku != file.skus.end());
    const ClusterLines lines = ClusterWriter(*sku, std::move(machines)).Write();
    all.group += lines.group;
    all.overrides += lines.overrides;
  }
  AddList(text, "clusters", all.group);
  AddList(text, "machines", all.overrides);
}

}  // namespace

std::string FormatFleetFile(const FleetFile& file) {
  std::string skus;
  for (const Sku& sku : file.skus) {
    skus += Line(sku.name.str()).AddResources(sku.capacity, {}).AddLabels(sku.labels).str();
  }
  std::string types;
  for (const InstanceType& type : file.types) {
    Line line(type.name.str());
    line.AddResources(type.size, {});
    std::string names;
    for (const SkuId sku : type.skus) names += (names.empty() ? "" : ", ") + Plain(sku.str());
    if (!names.empty()) line.Add("skus", fmt::format("[{}]", names));
    types += line.AddLabels(type.requires_labels).str();
  }
  std::string tenants;
  for (const Tenant& tenant : file.tenants) {
    Line line(tenant.name.str());
    std::string quota;
    for (const Resource r : kAllResources) {
      if (!tenant.quota || (*tenant.quota)[r] == kUnlimited) continue;
      quota += fmt::format("{}{}: {}", quota.empty() ? "" : ", ", ResourceName(r),
                           FormatAmount(r, (*tenant.quota)[r]));
    }
    if (!quota.empty()) line.Add("quota", fmt::format("{{{}}}", quota));
    tenants += line.str();
  }
  std::string text = fmt::format("zone: {}\n", Plain(file.zone));
  text += skus.empty() ? "skus: []\n" : "skus:\n" + skus;
  AddList(text, "types", types);
  AddList(text, "tenants", tenants);
  AddMachines(text, file);
  return text;
}

}  // namespace berth
