#include "perfmodel/generate_performance.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "perfmodel/performance_layout.h"

namespace berth {
namespace {

// To as many digits as a load generator prints.
double Rounded(double value) { return std::round(value * 10) / 10; }

double WholeWithin(double least, double most, double step, Rng& rng) {
  const auto steps = static_cast<std::uint64_t>((most - least) / step);
  return least + step * static_cast<double>(rng.Below(steps + 1));
}

}  // namespace

DataTable MeasurePerformance(const ColocatedApps& apps, std::size_t rows, std::uint64_t seed) {
  std::vector<std::string> names;
  for (const SimulatedApp& app : apps.apps()) {
    for (std::string& name : ColumnNamesOf(app.name)) names.push_back(std::move(name));
  }
  DataTable table(names);
  const std::size_t count = apps.apps().size();
  std::vector<double> loads(count), limits(count), row(names.size());
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng = Rng(seed).Fork(i);
    for (std::size_t a = 0; a < count; ++a) {
      loads[a] = WholeWithin(kGeneratedLoadMin, kGeneratedLoadMax, 1, rng);
      limits[a] = WholeWithin(kGeneratedLimitMin, kGeneratedLimitMax, 10, rng);
    }
    const std::vector<DeliveredSlis> delivered = apps.Measure(loads, limits, rng);
    for (std::size_t a = 0; a < count; ++a) {
      row[4 * a] = loads[a];
      row[4 * a + 1] = limits[a];
      row[4 * a + 2] = Rounded(delivered[a].response_ms);
      row[4 * a + 3] = Rounded(delivered[a].throughput_rps);
    }
    table.AddRow(row);
  }
  return table;
}

void WriteDataTable(const DataTable& table, std::ostream& out) {
  out << fmt::format("{}\n", fmt::join(table.names(), ","));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    out << fmt::format("{}\n", fmt::join(table.Row(i), ","));
  }
}

}  // namespace berth
