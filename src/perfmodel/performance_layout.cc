#include "perfmodel/performance_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace berth {
namespace {

constexpr std::array<std::string_view, 4> kSuffixes = {kLoadSuffix, kCpuSuffix, kResponseSuffix,
                                                       kThroughputSuffix};

Status BadLayout(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

}  // namespace

std::string_view SuffixOf(Sli sli) {
  return sli == Sli::kResponse ? kResponseSuffix : kThroughputSuffix;
}

std::vector<std::size_t> PerformanceLayout::Inputs() const {
  std::vector<std::size_t> inputs;
  inputs.reserve(2 * applications.size());
  for (const ApplicationColumns& one : applications) {
    inputs.push_back(one.load);
    inputs.push_back(one.cpu);
  }
  return inputs;
}

std::vector<std::size_t> PerformanceLayout::Targets() const {
  std::vector<std::size_t> targets;
  targets.reserve(2 * applications.size());
  for (const ApplicationColumns& one : applications) {
    targets.insert(targets.end(), one.sli.begin(), one.sli.end());
  }
  return targets;
}

std::array<std::string, 4> ColumnNamesOf(std::string_view application) {
  std::array<std::string, 4> names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = fmt::format("{}{}", application, kSuffixes[i]);
  }
  return names;
}

Result<PerformanceLayout> LayoutOf(const std::vector<std::string>& names) {
  PerformanceLayout layout{.columns = names.size()};
  for (const std::string& name : names) {
    const auto* const suffix =
        std::ranges::find_if(kSuffixes, [&](std::string_view end) { return name.ends_with(end); });
    if (suffix == kSuffixes.end() || name.size() == suffix->size()) {
      return BadLayout(fmt::format("column {} is of no application; name it APPLICATION{}",
                                   Quoted(name), fmt::join(kSuffixes, ", APPLICATION")));
    }
    const std::string of = name.substr(0, name.size() - suffix->size());
    if (std::ranges::find(layout.applications, of, &ApplicationColumns::name) !=
        layout.applications.end()) {
      continue;
    }
    std::array<std::size_t, 4> columns{};
    for (std::size_t i = 0; i < kSuffixes.size(); ++i) {
      const std::string wanted = fmt::format("{}{}", of, kSuffixes[i]);
      const auto found = std::ranges::find(names, wanted);
      if (found == names.end()) {
        return BadLayout(
            fmt::format("application {} has no column {}; add it", Quoted(of), Quoted(wanted)));
      }
      columns[i] = static_cast<std::size_t>(found - names.begin());
    }
    layout.applications.push_back({of, columns[0], columns[1], {columns[2], columns[3]}});
  }
  return layout;
}

}  // namespace berth
