#include "forecast/support_vectors.h"

#include <libsvm/svm.h>

#include "berth/check.h"

namespace berth {
namespace {

std::vector<svm_node> NodesOf(std::span<const double> row) {
  std::vector<svm_node> nodes;
  nodes.reserve(row.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i) {
    nodes.push_back({.index = static_cast<int>(i) + 1, .value = row[i]});
  }
  nodes.push_back({.index = -1, .value = 0});
  return nodes;
}

svm_parameter ParametersFor(const SupportVectorSettings& settings) {
  svm_parameter parameters{};
  parameters.svm_type = EPSILON_SVR;
  parameters.kernel_type = RBF;
  parameters.gamma = settings.gamma;
  parameters.C = settings.cost;
  parameters.p = settings.tube;
  parameters.eps = 1e-3;
  parameters.cache_size = 40;  // MB.
  parameters.shrinking = 1;
  return parameters;
}

// It would print what it does.
void BeQuiet() {
  static const bool kQuiet = [] {
    svm_set_print_string_function([](const char*) {});
    return true;
  }();
  BERTH_CHECK(kQuiet);
}

}  // namespace

struct SupportVectors::Model {
  std::vector<std::vector<svm_node>> rows;  // The model points into them.
  std::vector<svm_node*> pointers;
  std::vector<double> targets;
  svm_model* trained = nullptr;

  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model() { svm_free_and_destroy_model(&trained); }
};

SupportVectors::SupportVectors(std::span<const std::vector<double>> rows,
                               std::span<const double> targets,
                               const SupportVectorSettings& settings)
    : model_(std::make_unique<Model>()) {
  BeQuiet();
  model_->rows.reserve(rows.size());
  model_->pointers.reserve(rows.size());
  for (const std::vector<double>& row : rows) {
    model_->rows.push_back(NodesOf(row));
    model_->pointers.push_back(model_->rows.back().data());
  }
  model_->targets.assign(targets.begin(), targets.end());
  const svm_problem problem{.l = static_cast<int>(rows.size()),
                            .y = model_->targets.data(),
                            .x = model_->pointers.data()};
  const svm_parameter parameters = ParametersFor(settings);
  BERTH_CHECK(svm_check_parameter(&problem, &parameters) == nullptr);
  model_->trained = svm_train(&problem, &parameters);
}

SupportVectors::~SupportVectors() = default;
SupportVectors::SupportVectors(SupportVectors&&) noexcept = default;
SupportVectors& SupportVectors::operator=(SupportVectors&&) noexcept = default;

double SupportVectors::operator()(std::span<const double> row) const {
  return svm_predict(model_->trained, NodesOf(row).data());
}

std::size_t SupportVectors::count() const {
  return static_cast<std::size_t>(svm_get_nr_sv(model_->trained));
}

}  // namespace berth
