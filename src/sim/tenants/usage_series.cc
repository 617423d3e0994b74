#include "sim/tenants/usage_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/parallel.h"
#include "berth/rng.h"

namespace berth {
namespace {

// Of the generated region-1.
constexpr double kLifetimeStepsMedian = 430;
constexpr double kLifetimeSpread = 1.5;
constexpr double kLifetimeStepsLongest = 26'280;

struct Classed {
  TenantClass tenant_class{};
  const UsageSeries* series = nullptr;
};

DemandTrace StretchOf(const Classed& from, Rng rng) {
  const std::vector<Demand>& samples = from.series->samples;
  const double drawn = kLifetimeStepsMedian * std::exp(kLifetimeSpread * rng.Normal());
  const auto lifetime = static_cast<std::size_t>(std::clamp(drawn, 1.0, kLifetimeStepsLongest));
  const std::size_t begin = rng.Below(samples.size());
  DemandTrace trace{.tenant_class = from.tenant_class, .role = TenantRole::kPrimary, .samples = {}};
  trace.samples.reserve(lifetime);
  for (std::size_t i = 0; i < lifetime; ++i) {
    trace.samples.push_back(samples[(begin + i) % samples.size()]);
  }
  return trace;
}

Status Check(const std::string& name, const std::vector<UsageSeries>& series) {
  const auto refuse = [&](std::string_view what) {
    return Status(Code::kInvalidArgument, fmt::format("{}: {}", name, what));
  };
  if (series.size() < 2) return refuse("at least two series are needed");
  for (const UsageSeries& one : series) {
    if (one.samples.empty()) return refuse(fmt::format("a series of {} is empty", one.kind));
    if (one.limit[DemandResource::kCpu] == 0) {
      return refuse(fmt::format("a series of {} is promised no cores", one.kind));
    }
    for (const Demand& sample : one.samples) {
      if (!Covers(Demand(kDemandMax, kDemandMax, kDemandMax), sample)) {
        return refuse(fmt::format("a series of {} has a sample over the limit", one.kind));
      }
    }
  }
  return {};
}

}  // namespace

Result<TenantPopulation> PopulationOf(std::string name, std::vector<UsageSeries> series,
                                      const PopulationSize& size, std::uint64_t seed,
                                      std::size_t workers) {
  BERTH_RETURN_IF_ERROR(Check(name, series));
  const Rng rng = Rng(seed).Fork("usage");
  Rng shuffling = rng.Fork("shuffle");
  shuffling.Shuffle(std::span(series));

  std::map<std::string, Demand> limits;  // Of a kind the greatest.
  for (const UsageSeries& one : series) {
    limits[one.kind] = Greater(limits[one.kind], one.limit);
  }
  std::vector<TenantKind> kinds;
  std::vector<std::string> names;
  for (const auto& [kind, limit] : limits) {
    kinds.push_back({kind, limit});
    names.push_back(kind);
  }
  std::vector<Classed> past;
  std::vector<Classed> present;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const auto place = std::ranges::lower_bound(names, series[i].kind) - names.begin();
    (i % 2 == 0 ? past : present)
        .push_back({TenantClass{static_cast<std::uint16_t>(place)}, &series[i]});
  }

  std::vector<DemandModel> models(size.library);
  ForEachInParallel(models.size(), workers, [&](std::size_t i) {
    Rng own = rng.Fork("library").Fork(i);
    const Classed& from = past[own.Below(past.size())];
    models[i] = FitModel(StretchOf(from, own));
  });
  TenantPool pool(size.oldest);
  for (std::size_t i = 0; i < size.tenants; ++i) {
    Rng own = rng.Fork("pool").Fork(i);
    const Classed& from = present[own.Below(present.size())];
    pool.Add(StretchOf(from, own), from.series->limit[DemandResource::kCpu]);
  }
  pool.LookAhead();
  BERTH_TRY(TraceLibrary library, TraceLibrary::Build(std::move(models), std::move(names)));
  return TenantPopulation{.name = std::move(name),
                          .kinds = std::move(kinds),
                          .pool = std::move(pool),
                          .library = std::move(library)};
}

}  // namespace berth
