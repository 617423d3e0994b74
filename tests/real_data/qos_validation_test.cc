// Both validation tests of the paper, with the watchdog, allocation time and overheads that the
// authors' logs imply: class means within 0.01 of those they simulated.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "base/csv.h"
#include "base/lines.h"
#include "real_data/data_dir.h"
#include "sim/qos/files.h"
#include "sim/qos/rehearsal.h"

namespace berth {
namespace {

std::string File(const std::string& name) { return testing::DataFile("seed_qos_driven/" + name); }

// The means that the authors simulated, by class.
std::map<std::string, double> SimulatedMeans(const std::string& experiment,
                                             const std::string& policy) {
  auto lines = LineReader::Open(File("final_availability_per_instance.csv.gz"));
  EXPECT_TRUE(lines.ok());
  std::map<std::string, std::pair<double, int>> sums;
  std::vector<std::string> fields;
  for (;;) {
    auto line = lines.value().Next();
    EXPECT_TRUE(line.ok());
    if (!line.value()) break;
    EXPECT_TRUE(SplitCsv(*line.value(), fields).ok());
    if (fields[0] != experiment || fields[1] != "simulation" || fields[2] != policy) continue;
    sums[fields[4]].first += std::stod(fields[9]);
    ++sums[fields[4]].second;
  }
  std::map<std::string, double> means;
  for (const auto& [klass, sum] : sums) means[klass] = sum.first / sum.second;
  return means;
}

// What their allocations took: cold where the task had not been on that host before.
QosOverheads OverheadsIn(const std::string& log) {
  QosOverheads overheads;
  std::set<std::pair<std::string, std::string>> seen;
  auto lines = LineReader::Open(log);
  EXPECT_TRUE(lines.ok());
  for (;;) {
    auto line = lines.value().Next();
    EXPECT_TRUE(line.ok());
    if (!line.value()) return overheads;
    if (line.value()->empty() || line.value()->starts_with('#')) continue;
    std::istringstream in{std::string(*line.value())};
    std::vector<std::string> fields(7);
    for (std::string& field : fields) in >> field;
    const bool cold = seen.insert({fields[1], fields[2]}).second;
    (cold ? overheads.cold : overheads.hot).push_back(std::chrono::seconds(std::stoi(fields[6])));
  }
}

class RealDataQosValidation : public ::testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(RealDataQosValidation, ClassMeansAreThoseThatTheAuthorsSimulated) {
  const auto [number, qos] = GetParam();
  const std::string experiment = "validation" + std::to_string(number);
  const std::string workload_file = File("workloads/synthetic-workload-" + experiment +
                                         "-20hosts-10pods-per-host-simulation.csv");
  BERTH_SKIP_WITHOUT(workload_file);
  QosOptions options;
  options.classes = DefaultFleetSettings().classes;
  options.watchdog = std::chrono::seconds(30);
  options.allocation_time = Duration(22'371'070);
  options.until = Time(std::chrono::seconds(3600));
  QosOverheads overheads = OverheadsIn(
      File("results/" + experiment + "_simulation_slo-driven_Allocation_Infra_Manager_1.dat.gz"));
  options.hot = overheads.hot;
  options.cold = overheads.cold;
  const auto hosts = ReadQosHosts(File("infrastructures/host_info_experiment_20.txt"));
  ASSERT_TRUE(hosts.ok()) << hosts.status().message();
  const auto requests = ReadQosWorkload(workload_file, options.classes);
  ASSERT_TRUE(requests.ok()) << requests.status().message();

  HeldQosWorkload workload(requests.value());
  const auto result = RehearseQos(hosts.value(), workload, options,
                                  FindScheduler(qos ? "qos" : "priority"), [](Time) {});
  ASSERT_TRUE(result.ok());
  const auto expected = SimulatedMeans(experiment, qos ? "slo-driven" : "priority-based");
  EXPECT_EQ(expected.size(), number == 1 ? 3U : 1U);
  const std::vector<std::string> names = {"prod", "batch", "free"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto mean = expected.find(names[i]);
    if (mean == expected.end()) continue;
    const QosClassOutcome& outcome = result.value().classes[i];
    EXPECT_NEAR(outcome.availability_sum / static_cast<double>(outcome.requests), mean->second,
                0.01)
        << names[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Both, RealDataQosValidation,
                         ::testing::Combine(::testing::Values(1, 2), ::testing::Bool()),
                         [](const auto& which) {
                           return "Validation" + std::to_string(std::get<0>(which.param)) +
                                  (std::get<1>(which.param) ? "Qos" : "Priority");
                         });

}  // namespace
}  // namespace berth
