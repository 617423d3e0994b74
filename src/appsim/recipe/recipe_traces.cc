#include "appsim/recipe/recipe_traces.h"

#include <fmt/format.h>

#include <algorithm>

#include "appsim/recipe/azure_functions.h"
#include "appsim/recipe/azure_vms.h"
#include "base/fields.h"
#include "base/text.h"
#include "fleet/file_parts.h"

namespace berth {
namespace {

constexpr std::size_t kReadingsFilesMax = 1'000;
constexpr double kMicrosOfMilli = 1'000;

std::size_t ReadBins(Fields& fields) {
  return fields.Integer<std::size_t>("bins", {.min = 1, .max = kChoiceBinsMax}, 10);
}

// "70%" as 0.7.
double ShareOr(Fields& fields, std::string_view key, double otherwise) {
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return otherwise;
  const Result<std::int64_t> millionths =
      ReadShare(*node, {.whole = 1'000'000, .min = 0, .max = 1'000'000});
  fields.Check(millionths.status());
  return millionths.ok() ? static_cast<double>(millionths.value()) / 1e6 : otherwise;
}

NumberChoice SamplesIn(std::vector<double> samples, double unit, std::size_t bins) {
  for (double& sample : samples) sample *= unit;
  return NumberChoice::FromSamples(samples, bins);
}

SpreadChoice SpreadOf(const SampledSpread& sampled, std::size_t bins) {
  return {.mean = NumberChoice::FromSamples(sampled.means, bins),
          .deviation = NumberChoice::FromSamples(sampled.deviations, bins)};
}

Status EnrichByFunctions(const Node& node, const std::string& folder, AppRecipe& recipe) {
  Fields fields(node);
  FunctionsQuery query{.invocations_file = folder + fields.Text("invocations"),
                       .durations_file = folder + fields.Text("durations")};
  query.calls_quantile_from = ShareOr(fields, "calls_quantile_from", 0);
  query.calls_quantile_to = ShareOr(fields, "calls_quantile_to", 1);
  query.size_quantile = ShareOr(fields, "size_quantile", 0.8);
  const std::size_t bins = ReadBins(fields);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (query.calls_quantile_to < query.calls_quantile_from) {
    return node.Error("has calls_quantile_to below calls_quantile_from; raise it");
  }
  BERTH_TRY(const FunctionsProfile profile, ReadFunctions(query));
  recipe.services =
      NumberChoice::Of(static_cast<double>(std::min(profile.services, kRecipeServicesMax)));
  recipe.hourly_rates.clear();
  recipe.hourly_rates.reserve(profile.hourly_rates.size());
  for (const double rate : profile.hourly_rates) {
    recipe.hourly_rates.push_back(NumberChoice::Of(std::min(rate, kRecipeRateMax)));
  }
  recipe.processing_us = {
      .mean = SamplesIn(profile.duration_ms_means, kMicrosOfMilli, bins),
      .deviation = SamplesIn(profile.duration_ms_deviations, kMicrosOfMilli, bins)};
  recipe.notes.push_back(
      fmt::format("services, load and processing times are those of {} and {} in {}",
                  Plural(profile.applications, "application"),
                  Plural(profile.duration_ms_means.size(), "function"), query.invocations_file));
  return {};
}

Status EnrichByVms(const Node& node, const std::string& folder, AppRecipe& recipe) {
  Fields fields(node);
  VmsQuery query{.vms_file = folder + fields.Text("vms")};
  const std::vector<Node> files = fields.Items("readings");
  const std::vector<Node> categories = fields.OptionalItems("categories");
  query.vms_per_file =
      fields.Integer<std::size_t>("vms_per_file", {.min = 1, .max = kVmsPerFileMax}, 200);
  query.single_request_gap_percent = 100 * ShareOr(fields, "single_request_gap", 0.03);
  query.cpu_to_memory = fields.Number("cpu_to_memory", {.min = 0, .max = 1}, 0.9);
  query.request_memory_factor = fields.Number("request_memory_factor", {.min = 0, .max = 1}, 0.1);
  const std::size_t bins = ReadBins(fields);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (files.empty() || files.size() > kReadingsFilesMax) {
    return node.Error(fmt::format("has {} files of readings; write 1 to {}", files.size(),
                                  FormatCount(kReadingsFilesMax)));
  }
  for (const Node& file : files) {
    BERTH_TRY(const std::string_view name, file.Text());
    query.readings_files.push_back(folder + std::string(name));
  }
  for (const Node& category : categories) {
    BERTH_TRY(const std::string_view name, category.Text());
    query.categories.emplace_back(name);
  }
  BERTH_TRY(const VmsProfile profile, ReadVms(query));
  recipe.idle_cpu_milli = SpreadOf(profile.service_cpu_milli, bins);
  recipe.idle_memory_bytes = SpreadOf(profile.service_memory_bytes, bins);
  recipe.request_cpu_milli = SpreadOf(profile.request_cpu_milli, bins);
  recipe.request_memory_bytes = SpreadOf(profile.request_memory_bytes, bins);
  recipe.notes.push_back(fmt::format("cpu and memory are those of {} in {}",
                                     Plural(profile.vms, "VM"), query.vms_file));
  return {};
}

}  // namespace

Status EnrichByTraces(const Node& node, const std::string& folder, AppRecipe& recipe) {
  Fields fields(node);
  const std::optional<Node> functions = fields.Optional("azure_functions");
  const std::optional<Node> vms = fields.Optional("azure_vms");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (functions) BERTH_RETURN_IF_ERROR(EnrichByFunctions(*functions, folder, recipe));
  if (vms) BERTH_RETURN_IF_ERROR(EnrichByVms(*vms, folder, recipe));
  return {};
}

}  // namespace berth
