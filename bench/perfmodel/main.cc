// Performance models: how long they take, and what they find, beside scikit-learn and brute force.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/bar.h"
#include "bench/cpu_watch.h"
#include "bench/perfmodel/peers.h"
#include "berth/check.h"
#include "perfmodel/column_scale.h"
#include "perfmodel/cross_validation.h"
#include "perfmodel/generate_performance.h"
#include "perfmodel/isolation_forest.h"
#include "perfmodel/lasso.h"
#include "perfmodel/polynomial.h"
#include "perfmodel/slo_limits.h"

namespace berth {
namespace {

std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order = FirstNumbers(values.size());
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

double RankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
  BERTH_CHECK(a.size() == b.size());
  const std::vector<double> of_a = Ranks(a), of_b = Ranks(b);
  const auto count = static_cast<double>(a.size());
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (of_a[i] - of_b[i]) * (of_a[i] - of_b[i]);
  return 1 - 6 * squares / (count * (count * count - 1));
}

// Ten correlated columns; every hundredth row is far out.
DataTable ManyRows(std::size_t rows) {
  DataTable table({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"});
  Rng rng(1);
  std::vector<double> row(table.columns());
  for (std::size_t r = 0; r < rows; ++r) {
    const double shared = rng.Normal(), far = r % 100 == 0 ? 4 : 1;
    for (double& value : row) value = far * (shared + rng.Normal());
    table.AddRow(row);
  }
  return table;
}

void RunIsolationForest() {
  const DataTable table = ManyRows(100'000);
  const std::vector<double> values =
      table.Pick(FirstNumbers(table.rows()), FirstNumbers(table.columns()));
  const CpuWatch watch;
  const std::vector<double> scores =
      IsolationForest(values, table.columns(), {.trees = 200}, Rng(1)).Scores(values);
  const double ours = watch.seconds();
  fmt::print("isolation forest of 200 trees, 100,000 x 10: {:.3f} s\n", ours);
  const auto theirs = AskSklearn("isolation", table);
  if (theirs.empty()) return;
  const SklearnAnswer& answer = theirs.at("isolation");
  fmt::print("scikit-learn: {:.3f} s\n", answer.cpu_s);
  PrintBar("perfmodel_isolation_times_sklearn", answer.cpu_s / ours, ">=", 3);
  PrintBar("perfmodel_isolation_spearman", RankCorrelation(scores, answer.values), ">=", 0.95);
}

// The coefficients of columns of deviation 1, as scikit-learn has them.
std::vector<double> ScaledCoefficients(const DataTable& table, const ModelGroup& group) {
  const std::vector<std::size_t> rows = FirstNumbers(table.rows());
  const std::size_t width = group.features.size();
  std::vector<double> features = table.Pick(rows, group.features);
  std::vector<double> targets = table.Pick(rows, group.targets);
  ScaleOf(features, width).Apply(features);
  ScaleOf(targets, group.targets.size()).Apply(targets);
  const std::vector<Monomial> monomials = MonomialsUpTo(width, 2);
  std::vector<double> expanded;
  expanded.reserve(table.rows() * monomials.size());
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (const Monomial& monomial : monomials) {
      expanded.push_back(monomial.Of(std::span(features).subspan(r * width, width)));
    }
  }
  ScaleOf(expanded, monomials.size()).Apply(expanded);
  return SolveLasso(expanded, targets, table.rows(), {}).coefficients;
}

void RunLasso() {
  const DataTable table =
      MeasurePerformance(ThreeColocatedApps(LimitKind::kHard), kPerformanceRows, 1);
  const std::vector<ModelGroup> groups =
      GroupsOf(LayoutOf(table.names()).value(), table.names(), TargetGrouping::kApplication, true);
  const ModelEntry& entry = *FindPerformanceModel("lasso").value();
  const CpuWatch watch;
  for (const ModelGroup& group : groups) {
    const auto scores = CrossValidate(table, group, entry, {}, 10, 1);
    BERTH_CHECK(scores.ok());
    fmt::print("lasso of {}: R2 {:.3f}\n", group.name, scores.value().mean);
  }
  const double ours = watch.seconds();
  PrintBar("perfmodel_lasso_10_fold_s", ours, "<=", 5);
  const auto theirs = AskSklearn("lasso", table);
  if (theirs.empty()) return;
  double seconds = 0, farthest = 0;
  for (std::size_t a = 0; a < groups.size(); ++a) {
    const SklearnAnswer& answer = theirs.at(fmt::format("lasso-{}", a));
    seconds += answer.cpu_s;
    const std::vector<double> found = ScaledCoefficients(table, groups[a]);
    BERTH_CHECK(found.size() == answer.values.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      farthest = std::max(farthest, std::abs(found[i] - answer.values[i]));
    }
  }
  fmt::print("scikit-learn's ten folds: {:.3f} s, ours {:.3f} s; coefficients differ by {:.1e}\n",
             seconds, ours, farthest);
  PrintBar("perfmodel_lasso_off_sklearn", farthest, "<=", 1e-4);
}

PerformanceModelSet FitAll(const DataTable& all, TargetGrouping grouping, double penalty) {
  const PerformanceLayout layout = LayoutOf(all.names()).value();
  const DataTable table = all.PickRows(RowsWithoutAnomalies(all, layout.Targets(), 0.11, Rng(1)));
  return FitModels(table, GroupsOf(layout, table.names(), grouping, false),
                   *FindPerformanceModel("lasso").value(), {.penalty = penalty})
      .value();
}

SloSettings RandomSettings(std::size_t applications, double load_min, Rng& rng) {
  SloSettings settings{.slo = std::vector<ServiceObjectives>(applications),
                       .capacity_cpu_milli = 1'000.0 * static_cast<double>(applications)};
  for (std::size_t i = 0; i < applications; ++i) {
    settings.loads.push_back(load_min + (kGeneratedLoadMax - load_min) * rng.Unit());
  }
  return settings;
}

void RunThreeApplications() {
  const PerformanceModelSet models =
      FitAll(MeasurePerformance(ThreeColocatedApps(LimitKind::kHard), kPerformanceRows, 1),
             TargetGrouping::kAll, 0.01);
  Rng rng(7);
  double worst_ratio = 0, slowest = 0, grid_s = 0;
  for (int test = 0; test < 10; ++test) {
    const SloProblem problem =
        SloProblem::Make(models, RandomSettings(3, kGeneratedLoadMin, rng)).value();
    const CpuWatch watch;
    const SloLimits joint = FindLimits(problem, SloMethod::kJoint, Rng(1), 1).value();
    slowest = std::max(slowest, watch.seconds());
    const CpuWatch grid_watch;
    const SloLimits grid = FindLimits(problem, SloMethod::kGrid10, Rng(1), 1).value();
    grid_s += grid_watch.seconds() / 10;
    // Where objectives cannot be kept, by how much they are missed is what counts.
    const double ratio = grid.value.complies()
                             ? std::exp(joint.value.log_product - grid.value.log_product)
                             : joint.value.violation / grid.value.violation;
    worst_ratio =
        std::max(worst_ratio, joint.value.complies() || !grid.value.complies() ? ratio : 1e9);
  }
  fmt::print("3 applications: slowest {:.4f} s, grid-10 {:.3f} s on average\n", slowest, grid_s);
  PrintBar("perfmodel_limits_3_of_grid_10", worst_ratio, "<=", 1.01);
  PrintBar("perfmodel_limits_3_s", slowest, "<=", 0.5);
}

void RunFiftyApplications() {
  const PerformanceModelSet models =
      FitAll(MeasurePerformance(ManyColocatedApps(50, LimitKind::kHard), 600, 1),
             TargetGrouping::kApplication, 0.1);
  std::size_t terms = 0;
  for (const FittedGroup& fitted : models.groups) terms += fitted.model->Save().size();
  Rng rng(8);
  const SloProblem problem = SloProblem::Make(models, RandomSettings(50, 60, rng)).value();
  const CpuWatch watch;
  const SloLimits joint = FindLimits(problem, SloMethod::kJoint, Rng(1), 1).value();
  const double took = watch.seconds();
  fmt::print("50 applications: models of {} bytes, objectives {}, log product {:.3f}\n", terms,
             joint.value.complies() ? "kept" : "not all kept", joint.value.log_product);
  PrintBar("perfmodel_limits_50_s", took, "<=", 10);
}

}  // namespace
}  // namespace berth

int main() {
  berth::RunIsolationForest();
  berth::RunLasso();
  berth::RunThreeApplications();
  berth::RunFiftyApplications();
  return 0;
}
