#include "appsim/sweep/run_sweep.h"

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <mutex>
#include <utility>

#include "appsim/app_policy.h"
#include "base/parallel.h"
#include "base/text.h"
#include "berth/rng.h"

namespace berth {
namespace {

// One choice of each axis: what the policies are compared on.
struct SweepModel {
  AppModel model{};
  std::vector<AppPolicy> policies{};
};

Result<SweepModel> ReadSweepModel(const Sweep& sweep, const SweepCombination& combination) {
  std::vector<AppText> parts = sweep.application;
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    parts.push_back(sweep.axes[axis].choices[combination.choices[axis]].part);
  }
  if (parts.empty()) return Status(Code::kInvalidArgument, "the sweep names no application file");
  SweepModel read;
  BERTH_TRY(read.model, ParseAppParts(parts));
  read.policies.reserve(sweep.policies.size());
  for (const std::string& name : sweep.policies) {
    BERTH_TRY(AppPolicy policy, ReadAppPolicy(name, read.model));
    read.policies.push_back(std::move(policy));
  }
  return read;
}

// Traces are read beside the files that SweepDigest knows.
std::uint64_t WithLoads(std::uint64_t digest, const AppModel& model) {
  for (const AppRegion& region : model.regions) {
    for (const AppLoad& load : region.loads) {
      for (const double rate : load.rates) {
        digest = Rng(digest).Fork(std::bit_cast<std::uint64_t>(rate)).Next();
      }
    }
  }
  return digest;
}

Result<SweepRun> RunOnce(const SweepModel& model, const AppPolicy& policy, std::uint64_t seed) {
  std::vector<AppOutcome> regions;
  regions.reserve(model.model.regions.size());
  for (std::size_t region = 0; region < model.model.regions.size(); ++region) {
    AppRun run{.region = region, .seed = seed};
    std::unique_ptr<Autoscaler> autoscaler;
    if (policy.make) {
      BERTH_TRY(autoscaler, policy.make());
      run.autoscaler = autoscaler.get();
    }
    BERTH_TRY(AppOutcome outcome, SimulateApp(model.model, run));
    regions.push_back(std::move(outcome));
  }
  return SweepRunOf(model.model, regions);
}

// The runs that are missing, several at a time. What goes wrong first stops what has not begun.
class SweepWork {
 public:
  SweepWork(const Sweep& sweep, const std::vector<SweepModel>& models, SweepResults& results,
            const SweepOptions& options)
      : sweep_(sweep), models_(models), results_(results), options_(options) {
    total_ = sweep.CombinationCount() * sweep.repetitions;
    for (std::size_t i = 0; i < total_; ++i) {
      const SweepRunId id{i / sweep.repetitions, i % sweep.repetitions};
      if (!results.runs().contains(id)) missing_.push_back(id);
    }
  }

  Status Run() {
    ForEachInParallel(missing_.size(), options_.workers, [this](std::size_t i) {
      if (Stopped()) return;
      const SweepRunId& id = missing_[i];
      const std::size_t policy = id.combination % sweep_.policies.size();
      const SweepModel& model = models_[id.combination / sweep_.policies.size()];
      const std::uint64_t seed = Rng(sweep_.seed).Fork(id.repetition).Next();
      Keep(id, RunOnce(model, model.policies[policy], seed));
    });
    return status_;
  }

 private:
  bool Stopped() {
    const std::lock_guard lock(mutex_);
    return !status_.ok();
  }
  void Keep(const SweepRunId& id, Result<SweepRun> run) {
    const std::lock_guard lock(mutex_);
    const Status status = run.ok() ? results_.Add(id, std::move(run).value()) : run.status();
    if (status_.ok()) status_ = status;
    if (options_.progress) options_.progress(total_ - missing_.size() + ++done_, total_);
  }

  const Sweep& sweep_;
  const std::vector<SweepModel>& models_;
  SweepResults& results_;
  const SweepOptions& options_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::vector<SweepRunId> missing_;
  std::mutex mutex_;
  Status status_;
};

}  // namespace

Result<std::vector<SweepCell>> RunSweep(const Sweep& sweep, const SweepOptions& options) {
  const std::size_t count = sweep.CombinationCount();
  std::vector<SweepModel> models;
  models.reserve(count / sweep.policies.size());
  std::uint64_t digest = SweepDigest(sweep);
  for (std::size_t i = 0; i < count; i += sweep.policies.size()) {
    BERTH_TRY(SweepModel model, ReadSweepModel(sweep, CombinationAt(sweep, i)));
    digest = WithLoads(digest, model.model);
    models.push_back(std::move(model));
  }
  BERTH_TRY(SweepResults results, SweepResults::Open(options.folder, digest));
  BERTH_RETURN_IF_ERROR(SweepWork(sweep, models, results, options).Run());
  BERTH_RETURN_IF_ERROR(results.Close());

  std::vector<SweepCell> cells(count);
  for (std::size_t i = 0; i < count; ++i) {
    cells[i].combination = CombinationAt(sweep, i);
    for (std::size_t repetition = 0; repetition < sweep.repetitions; ++repetition) {
      cells[i].runs.push_back(results.runs().at({i, repetition}));
    }
  }
  return cells;
}

}  // namespace berth
