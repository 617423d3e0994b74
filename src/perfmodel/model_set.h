// Fitted models of a table, and the file they are kept in.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perfmodel/model_groups.h"
#include "perfmodel/performance_model.h"

namespace berth {

struct FittedGroup {
  ModelGroup group{};
  std::unique_ptr<PerformanceModel> model{};
};

// Of what was learned from; predictions and limits stay within.
struct ColumnRange {
  double least = 0;
  double most = 0;
};

struct PerformanceModelSet {
  std::string model_name{};  // Of performance_model.h.
  ModelSettings settings{};  // But for features and targets, which are each group's.
  std::vector<std::string> columns{};
  std::vector<ColumnRange> ranges{};  // By column.
  std::vector<FittedGroup> groups{};

  // The targets of a row, in the row's place; what is no target stays.
  void PredictInto(std::span<double> row) const;
};

Result<PerformanceModelSet> FitModels(const DataTable& table, std::vector<ModelGroup> groups,
                                      const ModelEntry& entry, const ModelSettings& settings);

// The file begins with its kind and version, and ends with a checksum.
inline constexpr std::uint32_t kModelFileVersion = 1;
inline constexpr std::size_t kModelFileBytesMax = std::size_t{256} << 20;

std::string EncodeModels(const PerformanceModelSet& models);
Result<PerformanceModelSet> DecodeModels(std::string_view bytes, std::string_view file_name);
Status WriteModels(const PerformanceModelSet& models, const std::string& path);
Result<PerformanceModelSet> ReadModels(const std::string& path);

}  // namespace berth
