#include "report/qos_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/text.h"
#include "report/qos_fairness.h"
#include "report/qos_plots.h"

namespace berth {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double ShareOrNone(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? kNone : static_cast<double>(part) / static_cast<double>(whole);
}

double Mean(double sum, std::uint64_t count) {
  return count == 0 ? kNone : sum / static_cast<double>(count);
}

Table ClassTable(const std::vector<QosRun>& runs, const std::vector<ServiceClass>& classes) {
  Table table{.title = "Promises, by class",
              .note = "Deficit: the mean of those whose promise was broken.",
              .columns = {{.name = "class"},
                          {.name = "scheduler"},
                          {.name = "requests"},
                          {.name = "refused"},
                          {.name = "fulfilled"},
                          {.name = "availability"},
                          {.name = "least"},
                          {.name = "deficit"},
                          {.name = "preemptions"},
                          {.name = "penalty", .unit = "cpu-hours"}}};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (const QosRun& run : runs) {
      const QosClassOutcome& outcome = run.result.classes[i];
      table.rows.push_back(
          {classes[i].name.str(), run.scheduler, static_cast<double>(outcome.requests),
           static_cast<double>(outcome.refused), ShareOrNone(outcome.fulfilled, outcome.requests),
           Mean(outcome.availability_sum, outcome.requests),
           outcome.requests == 0 ? kNone : outcome.availability_least,
           Mean(outcome.deficit_sum, outcome.requests - outcome.fulfilled),
           static_cast<double>(outcome.preemptions), outcome.penalty_cpu_hours});
    }
  }
  return table;
}

Table RunTable(const std::vector<QosRun>& runs) {
  Table table{.title = "What the schedulers did",
              .columns = {{.name = "scheduler"},
                          {.name = "passes"},
                          {.name = "placements"},
                          {.name = "most waiting"},
                          {.name = "unfinished"},
                          {.name = "penalty", .unit = "cpu-hours"},
                          {.name = "unseed"}}};
  for (const QosRun& run : runs) {
    double penalty = 0;
    for (const QosClassOutcome& outcome : run.result.classes) penalty += outcome.penalty_cpu_hours;
    table.rows.push_back({run.scheduler, static_cast<double>(run.result.passes),
                          static_cast<double>(run.result.placements),
                          static_cast<double>(run.result.waiting_peak),
                          static_cast<double>(run.result.unfinished), penalty,
                          fmt::format("{:016x}", run.result.unseed)});
  }
  return table;
}

Table ContentionTable(const std::vector<ContentionLevel>& levels) {
  Table table{.title = "Contention",
              .note = "Intervals of ten minutes, by what the priority-based scheduler achieved.",
              .columns = {{.name = "level"}, {.name = "intervals"}, {.name = "share"}}};
  for (std::size_t i = 0; i < kContentionLevels; ++i) {
    const auto count =
        static_cast<std::uint64_t>(std::ranges::count(levels, static_cast<ContentionLevel>(i)));
    table.rows.push_back({std::string(kContentionNames[i]), static_cast<double>(count),
                          ShareOrNone(count, levels.size())});
  }
  return table;
}

std::string WithInterval(const std::vector<double>& samples) {
  const MeanInterval interval = MeanWithInterval(samples);
  return fmt::format("{:.4f} +- {:.4f}", interval.mean, interval.half_width);
}

Table FairnessTable(const std::vector<QosRun>& runs, const std::vector<ServiceClass>& classes,
                    const std::vector<ContentionLevel>& levels) {
  Table table{.title = "Fairness, by contention",
              .note = "Means over intervals with 95% confidence intervals, of the requests active.",
              .columns = {{.name = "level"},
                          {.name = "class"},
                          {.name = "scheduler"},
                          {.name = "intervals"},
                          {.name = "gini"},
                          {.name = "least availability"},
                          {.name = "fulfilled"}}};
  for (std::size_t level = 0; level < kContentionLevels; ++level) {
    for (std::size_t klass = 0; klass < classes.size(); ++klass) {
      for (const QosRun& run : runs) {
        const FairnessSamples samples =
            FairnessOf(run.result, levels, static_cast<ContentionLevel>(level), klass);
        if (samples.gini.empty()) continue;
        table.rows.push_back({std::string(kContentionNames[level]), classes[klass].name.str(),
                              run.scheduler, static_cast<double>(samples.gini.size()),
                              WithInterval(samples.gini), WithInterval(samples.least),
                              WithInterval(samples.fulfilled)});
      }
    }
  }
  return table;
}

std::vector<PairedAvailabilities> Pairs(const QosResult& priority, const QosResult& qos,
                                        const std::vector<ServiceClass>& classes) {
  std::vector<PairedAvailabilities> pairs;
  pairs.reserve(classes.size());
  for (const ServiceClass& klass : classes) pairs.emplace_back(klass.availability_ppm);
  const std::size_t both = std::min(priority.availabilities.size(), qos.availabilities.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (std::isnan(priority.availabilities[i]) || std::isnan(qos.availabilities[i])) continue;
    pairs[qos.class_of[i]].Add(priority.availabilities[i], qos.availabilities[i]);
  }
  return pairs;
}

Table QuadrantTable(const std::vector<PairedAvailabilities>& pairs,
                    const std::vector<ServiceClass>& classes) {
  Table table{.title = "The same requests under both schedulers",
              .note = "Shares of requests by which scheduler kept their promise.",
              .columns = {{.name = "class"},
                          {.name = "both"},
                          {.name = "only qos"},
                          {.name = "only priority"},
                          {.name = "neither"}}};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const PairedAvailabilities& of = pairs[i];
    table.rows.push_back({classes[i].name.str(), ShareOrNone(of.Quadrant(true, true), of.total()),
                          ShareOrNone(of.Quadrant(false, true), of.total()),
                          ShareOrNone(of.Quadrant(true, false), of.total()),
                          ShareOrNone(of.Quadrant(false, false), of.total())});
  }
  return table;
}

const QosResult* Find(const std::vector<QosRun>& runs, std::string_view scheduler) {
  const auto at = std::ranges::find(runs, scheduler, &QosRun::scheduler);
  return at == runs.end() ? nullptr : &at->result;
}

}  // namespace

Report QosReport(const std::vector<QosRun>& runs, const QosOptions& options, std::string command) {
  Report report{.title = "Who yields", .command = std::move(command), .seed = options.seed};
  report.tables = {ClassTable(runs, options.classes), RunTable(runs)};
  report.plots = KeptPlots(runs, options.classes);
  std::ranges::move(DeficitPlots(runs, options.classes), std::back_inserter(report.plots));
  const QosResult* priority = Find(runs, "priority");
  const QosResult* qos = Find(runs, "qos");
  if (priority == nullptr || qos == nullptr) return report;
  const std::vector<ContentionLevel> levels = ContentionLevels(*priority, options.classes);
  const std::vector<PairedAvailabilities> pairs = Pairs(*priority, *qos, options.classes);
  report.tables.push_back(ContentionTable(levels));
  report.tables.push_back(FairnessTable(runs, options.classes, levels));
  report.tables.push_back(QuadrantTable(pairs, options.classes));
  report.heat_maps = PairedMaps(pairs, options.classes);
  std::ranges::move(FairnessPlots(runs, options.classes, levels), std::back_inserter(report.plots));
  return report;
}

Status WriteQosAvailabilities(const std::string& folder, const std::vector<QosRun>& runs,
                              const std::vector<QosRequest>& requests,
                              const std::vector<ServiceClass>& classes) {
  const std::string path = (std::filesystem::path(folder) / "availabilities.csv").string();
  std::ofstream file(path);
  file << "at_s,task,job,class";
  for (const QosRun& run : runs) file << ',' << run.scheduler;
  file << '\n';
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const QosRequest& request = requests[i];
    file << fmt::format("{},{},{},{}", static_cast<double>(ToMicros(request.at)) / 1e6,
                        request.task, request.job, classes[request.klass].name.str());
    for (const QosRun& run : runs) {
      // One that was refused or came after the end has none.
      file << ',';
      if (i < run.result.availabilities.size() && !std::isnan(run.result.availabilities[i]))
        file << fmt::format("{:.6f}", run.result.availabilities[i]);
    }
    file << '\n';
  }
  file.close();
  if (!file) return Status(Code::kUnavailable, "cannot write " + path);
  return {};
}

}  // namespace berth
