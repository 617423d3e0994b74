#include <algorithm>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "oversub/demand_library_file.h"
#include "oversub/tenant_amounts.h"

namespace berth {
namespace {

// The middle one.
template <typename F>
auto MedianOf(std::span<const DemandModel> models, F of) {
  std::vector<decltype(of(models.front()))> values;
  for (const DemandModel& model : models) values.push_back(of(model));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

int RunDemandShow(const Invocation& given, Console& console) {
  const Result<TraceLibrary> library = ReadDemandLibrary(given.Text("FILE"));
  if (!library.ok()) return console.Fail(library.status());
  Table table{.title = "Demand",
              .columns = {{.name = "type"},
                          {.name = "role"},
                          {.name = "models"},
                          {.name = "cpu"},
                          {.name = "memory"},
                          {.name = "disk"},
                          {.name = "lives"}}};
  const auto names = library.value().class_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const TenantRole role : {TenantRole::kPrimary, TenantRole::kSecondary}) {
      const auto models = library.value().Group(TenantClass{static_cast<std::uint16_t>(i)}, role);
      if (models.empty()) continue;
      const Resources typical = ToResources(
          Demand(MedianOf(models, [](const DemandModel& m) { return m.cpu_p90; }),
                 MedianOf(models, [](const DemandModel& m) { return m.memory.maximum; }),
                 MedianOf(models, [](const DemandModel& m) { return m.disk.maximum; })));
      const Step lives = MedianOf(models, [](const DemandModel& m) { return m.lifetime; });
      table.rows.push_back({names[i], role == TenantRole::kPrimary ? "primary" : "secondary",
                            std::to_string(models.size()),
                            FormatAmount(Resource::kCpu, typical[Resource::kCpu]),
                            FormatAmount(Resource::kMemory, typical[Resource::kMemory]),
                            FormatAmount(Resource::kDisk, typical[Resource::kDisk]),
                            FormatDuration(lives * kStepLength)});
    }
  }
  return PrintTable(given, console, std::move(table));
}

}  // namespace

Command DemandShow() {
  return {.words = "demand show",
          .summary = "what a file of demand models holds: of each type and role the medians",
          .arguments = {{"FILE", "what berth demand fit wrote"}},
          .options = {kJsonOption},
          .examples = {"berth demand show demand.models"},
          .run = RunDemandShow};
}

}  // namespace berth
