// The public experiments of the Multiverse simulator, against what it published of them.
#include <gtest/gtest.h>

#include <string>

#include "appsim/multiverse/simulate.h"
#include "real_data/data_dir.h"

namespace berth::multiverse {
namespace {

std::string Folder(std::string_view name) {
  return testing::DataFile(std::string("multiverse_experiments/") + std::string(name));
}

TEST(RealDataMultiverse, EverySetIsRead) {
  struct Known {
    std::string_view folder;
    std::size_t cells;
    std::size_t services;
  };
  for (const Known& known :
       {Known{"bench_app7_reactive_15kph_max20", 1, 7}, Known{"components", 3, 7},
        Known{"limits/topo_a", 5, 10}, Known{"limits/topo_b", 5, 10}, Known{"limits/topo_c", 5, 10},
        Known{"limits/topo_d", 5, 10},
        Known{"metrics_experiment/experiment_metrics_oscillations_rapid", 4, 7},
        Known{"metrics_experiment/experiment_metrics_oscillations_slow", 4, 7},
        Known{"metrics_experiment/experiment_metrics_step_down", 4, 7},
        Known{"metrics_experiment/experiment_metrics_step_up", 4, 7},
        Known{"perf_testazuremanual2", 1, 7}, Known{"reordering", 4, 7},
        Known{"short_reactive", 1, 7}, Known{"topologies_topo_a", 2, 10},
        Known{"topologies_topo_b", 2, 10}, Known{"topologies_topo_c", 2, 10},
        Known{"topologies_topo_d", 2, 10}, Known{"validation", 1, 1}}) {
    const std::string folder = Folder(known.folder);
    BERTH_SKIP_WITHOUT(folder);
    const Result<ExperimentFolder> read = ReadExperimentFolder(folder, "");
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_EQ(read.value().cells.size(), known.cells) << known.folder;
    EXPECT_EQ(read.value().cells[0].set.application.services.size(), known.services);
  }
}

double FulfilledPercent(const ExperimentFolder& folder, const Quirks& quirks) {
  std::uint64_t generated = 0;
  std::uint64_t fulfilled = 0;
  for (std::uint64_t seed = 1; seed <= folder.run.repetitions; ++seed) {
    const Result<RunResult> run = SimulateSet(folder.cells[0].set, folder.run, quirks, seed);
    if (!run.ok()) return -1;
    generated += run.value().generated;
    fulfilled += run.value().fulfilled;
  }
  return 100 * static_cast<double>(fulfilled) / static_cast<double>(generated);
}

// Cells whose runs differ little; docs/experiments/predictive.md has all of them.
TEST(RealDataMultiverse, FulfilsWhatWasPublishedWithinTenPoints) {
  struct Published {
    std::string_view load;
    std::string policy;
    double percent;
  };
  for (const Published& cell : {Published{"step_up", "utilization-memory", 57.59},
                                Published{"step_down", "utilization-memory", 60.12},
                                Published{"step_down", "quality-response-time", 61.33},
                                Published{"oscillations_rapid", "utilization-memory", 71.58}}) {
    const std::string name =
        Folder("metrics_experiment/experiment_metrics_" + std::string(cell.load));
    BERTH_SKIP_WITHOUT(name);
    const Result<ExperimentFolder> folder = ReadExperimentFolder(name, cell.policy);
    ASSERT_TRUE(folder.ok()) << folder.status().message();
    EXPECT_NEAR(FulfilledPercent(folder.value(), QuirksOf("jan2021").value()), cell.percent, 10)
        << cell.load << ", " << cell.policy;
  }
}

// Its nodes boot and go more slowly than it decides.
TEST(RealDataMultiverse, WithoutQuirksNoNodeIsGivenUpTwice) {
  const std::string name = Folder("topologies_topo_a");
  BERTH_SKIP_WITHOUT(name);
  const Result<ExperimentFolder> folder = ReadExperimentFolder(name, "reactive");
  ASSERT_TRUE(folder.ok()) << folder.status().message();
  const Result<RunResult> run =
      SimulateSet(folder.value().cells[0].set, folder.value().run, QuirksOf("none").value(), 1);
  ASSERT_TRUE(run.ok()) << run.status().message();
  for (const double ordered : run.value().ordered_nodes) EXPECT_GE(ordered, 0);
}

}  // namespace
}  // namespace berth::multiverse
