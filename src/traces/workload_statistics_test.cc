// A generated week against every figure that Protean publishes, or that stands in for its pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

#include "base/quantiles.h"
#include "support/traces.h"
#include "traces/generate_workload.h"
#include "traces/generate_zone.h"
#include "traces/vm_catalogue.h"

namespace berth {
namespace {

constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;

struct Week {
  std::int64_t fleet_cores = 0;
  std::vector<Arrival> running;   // At time zero.
  std::vector<Arrival> requests;  // Afterwards.
};

const Week& WeekLike(ProteanZone zone) {
  static std::map<ProteanZone, Week> weeks;
  if (const auto known = weeks.find(zone); known != weeks.end()) return known->second;
  Week& week = weeks[zone];
  const FleetFile fleet = GenerateZone({}).value();
  for (const Machine& m : fleet.machines) week.fleet_cores += m.capacity[Resource::kCpu] / 1000;
  const auto trace =
      GenerateWorkload(fleet, {.seed = 42, .length = std::chrono::hours(7 * 24), .like = zone})
          .value();
  for (Arrival& arrival : ReadAll(*trace)) {
    auto& where = arrival.at == Time() ? week.running : week.requests;
    where.push_back(std::move(arrival));
  }
  return week;
}

double SecondsOf(Duration duration) { return static_cast<double>(duration.count()) / 1e6; }
double SecondsOf(Time time) { return SecondsOf(time.time_since_epoch()); }

template <typename Matches>
double ShareOf(const std::vector<Arrival>& arrivals, Matches matches) {
  return static_cast<double>(std::ranges::count_if(arrivals, matches)) /
         static_cast<double>(arrivals.size());
}

const std::map<TypeId, std::int64_t>& CoresByType() {
  static const auto kCores = [] {
    std::map<TypeId, std::int64_t> map;
    for (const CatalogueEntry& entry : VmCatalogue()) map.emplace(TypeId(entry.name), entry.cores);
    return map;
  }();
  return kCores;
}

std::int64_t CoresOf(const Service& service) {
  std::int64_t cores = 0;
  for (const InstanceGroup& group : service.groups) {
    cores += group.count * CoresByType().at(group.type);
  }
  return cores;
}

// The percentage of VMs of each type.
std::map<TypeId, double> TypePercents(const Week& week) {
  std::map<TypeId, double> percents;
  double vms = 0;
  for (const Arrival& arrival : week.requests) {
    for (const InstanceGroup& group : arrival.service.groups) {
      percents[group.type] += group.count;
      vms += group.count;
    }
  }
  for (auto& [type, percent] : percents) percent *= 100 / vms;
  return percents;
}

// Requests in each stretch of so many seconds.
std::vector<double> CountsPer(const Week& week, double seconds) {
  std::vector<double> counts(static_cast<std::size_t>(7 * kDay / seconds));
  for (const Arrival& arrival : week.requests) {
    ++counts[static_cast<std::size_t>(SecondsOf(arrival.at) / seconds)];
  }
  return counts;
}

class WorkloadStatistics : public ::testing::TestWithParam<ProteanZone> {
 protected:
  const Week& week_ = WeekLike(GetParam());
};

TEST_P(WorkloadStatistics, TypesAreAsPopularAsInTable2) {
  std::map<TypeId, double> percents = TypePercents(week_);
  for (const CatalogueEntry& entry : VmCatalogue()) {
    EXPECT_NEAR(percents[TypeId(entry.name)], entry.percent(GetParam()), 2.0) << entry.name;
  }
}

TEST_P(WorkloadStatistics, CoresAreAsInTable3) {
  const bool first = GetParam() == ProteanZone::kZone1;
  const std::map<std::int64_t, double> table3 =
      first ? std::map<std::int64_t, double>{{1, 17.1}, {2, 37.4}, {4, 32.0},
                                             {8, 8.9},  {10, 4.3}, {20, 0.3}}
            : std::map<std::int64_t, double>{{1, 27.0}, {2, 52.4}, {4, 10.5},
                                             {8, 4.5},  {10, 2.6}, {20, 3.1}};
  std::map<std::int64_t, double> sums;
  for (const auto& [type, percent] : TypePercents(week_)) {
    const std::int64_t cores = CoresByType().at(type);
    sums[cores >= 20 ? 20 : cores >= 10 ? 10 : cores] += percent;
  }
  for (const auto& [cores, percent] : table3) {
    EXPECT_NEAR(sums[cores], percent, 2.0) << cores;
  }
}

TEST_P(WorkloadStatistics, MostRequestsAreForOneVmAndAFewForHundreds) {
  const auto at_most = [&](std::uint32_t count) {
    return ShareOf(week_.requests, [count](const Arrival& arrival) {
      return arrival.service.InstanceCount() <= count;
    });
  };
  EXPECT_NEAR(at_most(1), 0.94, 0.005);
  EXPECT_NEAR(at_most(5), 0.99, 0.002);
  const double hundreds = 1 - at_most(99);
  EXPECT_GT(hundreds, 0);
  EXPECT_LT(hundreds, 0.001);
}

TEST_P(WorkloadStatistics, OverFourFifthsAskForTheTypeJustAskedFor) {
  std::vector<TypeId> recent;  // The last first, each once.
  std::vector<double> distances;
  double vms = 0;
  double zero_vms = 0;
  for (const Arrival& arrival : week_.requests) {
    for (const InstanceGroup& group : arrival.service.groups) {
      const auto place = std::ranges::find(recent, group.type);
      vms += group.count;
      zero_vms += group.count - (place == recent.begin() && !recent.empty() ? 0 : 1);
      if (place != recent.end()) {
        distances.push_back(static_cast<double>(place - recent.begin()));
        recent.erase(place);
      }
      recent.insert(recent.begin(), group.type);
    }
  }
  // Counted by request; by VM the share is larger still.
  const auto zero = static_cast<double>(std::ranges::count(distances, 0.0));
  EXPECT_GT(zero / static_cast<double>(distances.size()), 0.80);
  EXPECT_LT(zero / static_cast<double>(distances.size()), 0.90);
  EXPECT_GT(zero_vms / vms, 0.80);
  const auto near = std::ranges::count_if(distances, [](double d) { return d < 5; });
  EXPECT_GT(static_cast<double>(near) / static_cast<double>(distances.size()), 0.85);
}

TEST_P(WorkloadStatistics, LifetimesAreShortWithAHeavyTail) {
  std::vector<double> seconds;
  for (const Arrival& arrival : week_.requests) seconds.push_back(SecondsOf(*arrival.lifetime));
  const auto over = [&](double limit) {
    return static_cast<double>(
               std::ranges::count_if(seconds, [limit](double s) { return s > limit; })) /
           static_cast<double>(seconds.size());
  };
  EXPECT_NEAR(Quantile(seconds, 0.5), 600, 45);
  EXPECT_NEAR(1 - over(kHour), 0.66, 0.01);
  EXPECT_NEAR(over(kDay), 0.05, 0.005);
  EXPECT_GT(over(30 * kDay), 0.001);
}

TEST_P(WorkloadStatistics, ThereIsLessOvernightAndAtTheWeekend) {
  const std::vector<double> hours = CountsPer(week_, kHour);
  double night = 0;
  double noon = 0;
  double weekday = 0;
  double weekend = 0;
  for (std::size_t hour = 0; hour < hours.size(); ++hour) {
    const std::size_t of_day = hour % 24;
    if (of_day >= 1 && of_day < 5) night += hours[hour];
    if (of_day >= 11 && of_day < 15) noon += hours[hour];
    (hour / 24 < 5 ? weekday : weekend) += hours[hour];
  }
  EXPECT_LT(night / noon, 0.65);
  EXPECT_GT(night / noon, 0.35);
  EXPECT_NEAR((weekend / 2) / (weekday / 5), 0.8, 0.06);
}

TEST_P(WorkloadStatistics, EveryDayHasSpikesOfTenTimesTheMean) {
  const std::vector<double> minutes = CountsPer(week_, 60);
  const double mean = Mean(minutes);
  for (std::size_t day = 0; day < 7; ++day) {
    const auto begin = minutes.begin() + static_cast<std::ptrdiff_t>(day * 1440);
    const double peak = *std::max_element(begin, begin + 1440);
    EXPECT_GT(peak / mean, 10) << day;
    EXPECT_LT(peak / mean, 15) << day;
  }
  // Spikes are rare: all but a few minutes stay well below.
  EXPECT_LT(Quantile(minutes, 0.97) / mean, 3);
}

TEST_P(WorkloadStatistics, SomeRequestsHaveConstraints) {
  const auto share = [&](auto has) {
    return ShareOf(week_.requests,
                   [&](const Arrival& arrival) { return has(arrival.service.constraints); });
  };
  EXPECT_NEAR(share([](const Constraints& c) { return c.spread_racks > 1; }), 0.021, 0.003);
  EXPECT_NEAR(share([](const Constraints& c) { return c.max_per_machine > 0; }), 0.009, 0.002);
  EXPECT_NEAR(share([](const Constraints& c) { return c.max_per_rack > 0; }), 0.003, 0.001);
  EXPECT_NEAR(share([](const Constraints& c) { return c.within != Scope::kZone; }), 0.006, 0.002);
  EXPECT_NEAR(share([](const Constraints& c) { return c.isolate; }), 0.0025, 0.001);
}

TEST_P(WorkloadStatistics, TheFleetIsAsFullAsAskedAllWeek) {
  using Departure = std::pair<Time, std::int64_t>;
  std::priority_queue<Departure, std::vector<Departure>, std::greater<>> departures;
  std::vector<double> hourly;
  std::int64_t cores = 0;
  const auto add = [&](const Arrival& arrival) {
    while (!departures.empty() && departures.top().first <= arrival.at) {
      cores -= departures.top().second;
      departures.pop();
    }
    cores += CoresOf(arrival.service);
    departures.emplace(arrival.at + *arrival.lifetime, CoresOf(arrival.service));
    const auto hour = static_cast<std::size_t>(SecondsOf(arrival.at) / kHour);
    hourly.resize(std::max(hourly.size(), hour + 1));
    hourly[hour] = static_cast<double>(cores) / static_cast<double>(week_.fleet_cores);
  };
  for (const Arrival& arrival : week_.running) add(arrival);
  EXPECT_NEAR(hourly[0], 0.78, 0.01);
  for (const Arrival& arrival : week_.requests) add(arrival);
  EXPECT_NEAR(Mean(hourly), 0.78, 0.03);
  EXPECT_LT(*std::ranges::max_element(hourly), 0.9);
  EXPECT_GT(*std::ranges::min_element(hourly), 0.7);
}

INSTANTIATE_TEST_SUITE_P(Protean, WorkloadStatistics,
                         ::testing::Values(ProteanZone::kZone1, ProteanZone::kZone2),
                         [](const auto& test) {
                           return test.param == ProteanZone::kZone1 ? "Zone1" : "Zone2";
                         });

}  // namespace
}  // namespace berth
