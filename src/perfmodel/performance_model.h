// What tells from loads and limits what will be delivered.
//
// To add one, write models/NAME.cc with the function that makes it, and name both in
// models/models.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"

namespace berth {

// Measurements, row by row: as many features and targets in each as the model was made for.
struct ModelRows {
  std::size_t rows = 0;
  std::span<const double> features{};
  std::span<const double> targets{};
};

class PerformanceModel {
 public:
  virtual ~PerformanceModel() = default;

  // At least one row. A model of batches forgets what it learned before; an online one goes on.
  virtual Status Learn(const ModelRows& rows) = 0;

  // One row. Before the first Learn, zeros.
  virtual void Predict(std::span<const double> features, std::span<double> targets) const = 0;
  // How much each target grows with each feature: target by target.
  virtual void Jacobian(std::span<const double> features, std::span<double> jacobian) const = 0;

  // What was learned, for people: "21 of 65 terms".
  virtual std::string description() const = 0;

  // A model made alike and restored from the bytes goes on as this one would. Bytes that are no
  // such state are an error, and change nothing.
  virtual std::string Save() const = 0;
  virtual Status Restore(std::string_view bytes) = 0;
};

inline constexpr std::size_t kModelColumnsMax = 256;

struct ModelSettings {
  std::size_t features = 1;
  std::size_t targets = 1;
  std::size_t degree = 2;  // Of polynomials.
  double penalty = 0.01;   // Of the lasso, on columns of deviation 1.
  std::uint64_t seed = 1;  // Of what is drawn.
};
// Whether every setting is within its bounds; the message names the one that is not.
Status CheckSettings(const ModelSettings& settings);

enum class ModelLearning : std::uint8_t { kBatch, kOnline };

struct ModelEntry {
  std::string_view name;
  ModelLearning learning;
  std::string_view summary;
  std::unique_ptr<PerformanceModel> (*make)(const ModelSettings& settings);
};

// In the order of models.def.
std::span<const ModelEntry> PerformanceModels();
// The message names those there are.
Result<const ModelEntry*> FindPerformanceModel(std::string_view name);

inline constexpr std::string_view kDefaultPerformanceModel = "lasso";

}  // namespace berth
