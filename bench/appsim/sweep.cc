#include "bench/appsim/sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "appsim/sweep/run_sweep.h"
#include "base/document.h"
#include "bench/bar.h"
#include "berth/check.h"

namespace berth {
namespace {

struct TimedSweep {
  double seconds = 0;
  std::string results{};
};

TimedSweep TimeSweep(const Sweep& sweep, std::size_t workers) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("berth_bench_sweep_{}", getpid());
  const auto begin = std::chrono::steady_clock::now();
  const auto cells = RunSweep(sweep, {.folder = folder.string(), .workers = workers});
  BERTH_CHECK(cells.ok());
  TimedSweep timed;
  timed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  timed.results = ReadText((folder / "runs.jsonl").string()).value();
  std::filesystem::remove_all(folder);
  return timed;
}

}  // namespace

void RunSweepScaling() {
  Result<Sweep> sweep = ReadSweepFile("testdata/appsim/sweep/sweep.yaml");
  BERTH_CHECK(sweep.ok());
  sweep.value().repetitions = 50;
  const TimedSweep one = TimeSweep(sweep.value(), 1);
  const TimedSweep two = TimeSweep(sweep.value(), 2);
  fmt::print("sweep of {} runs: {:.2f} s on one core, {:.2f} s on two\n",
             sweep.value().CombinationCount() * sweep.value().repetitions, one.seconds,
             two.seconds);
  PrintBar("appsim_sweep_two_cores_times", one.seconds / two.seconds, ">=", 1.8);
  PrintBar("appsim_sweep_bytes_equal", one.results == two.results ? 1 : 0, ">=", 1);
}

}  // namespace berth
