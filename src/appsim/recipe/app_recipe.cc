#include "appsim/recipe/app_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "appsim/recipe/recipe_traces.h"
#include "base/document.h"
#include "base/fields.h"
#include "base/text.h"
#include "scale/capacity/price_file.h"

namespace berth {
namespace {

constexpr double kShareRounding = 1e-6;
constexpr std::size_t kRecipeHoursMax = std::size_t{24} * 366;

Result<double> RecipeCpu(const Node& node) {
  BERTH_TRY(const std::int64_t milli, node.Amount(Resource::kCpu));
  return static_cast<double>(milli);
}

Result<double> RecipeBytes(const Node& node) {
  BERTH_TRY(const std::int64_t bytes, node.Amount(Resource::kMemory));
  return static_cast<double>(bytes);
}

Result<double> RecipeMicros(const Node& node) {
  BERTH_TRY(const Duration length, node.Length());
  return static_cast<double>(length.count());
}

Result<double> RecipeRate(const Node& node) {
  return node.Number({.min = 0, .max = kRecipeRateMax});
}

Result<double> RecipeServiceCount(const Node& node) {
  return node.Number({.min = 1, .max = static_cast<double>(kRecipeServicesMax)});
}

Result<double> RecipeInstanceCount(const Node& node) {
  return node.Number({.min = 1, .max = static_cast<double>(kRecipeInstancesMax)});
}

void ChooseNumber(Fields& fields, const std::optional<Node>& node, const ReadOneNumber& read,
                  NumberChoice& into) {
  if (!node) return;
  Result<NumberChoice> choice = ReadChoice(*node, read);
  fields.Check(choice.status());
  if (choice.ok()) into = std::move(choice).value();
}

// {mean: CHOICE, deviation: CHOICE}, or only the choice of the mean.
void ChooseSpread(Fields& fields, std::string_view key, const ReadOneNumber& read,
                  SpreadChoice& into) {
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return;
  if (node->kind() != Node::Kind::kMap || !node->Find("mean")) {
    ChooseNumber(fields, node, read, into.mean);
    return;
  }
  Fields parts(*node);
  ChooseNumber(parts, parts.Required("mean"), read, into.mean);
  ChooseNumber(parts, parts.Optional("deviation"), read, into.deviation);
  fields.Check(parts.Finish());
}

void ReadRecipeUse(Fields& fields, std::string_view key, SpreadChoice& cpu, SpreadChoice& memory) {
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return;
  Fields parts(*node);
  ChooseSpread(parts, "cpu", RecipeCpu, cpu);
  ChooseSpread(parts, "memory", RecipeBytes, memory);
  fields.Check(parts.Finish());
}

Status ReadRecipeApplication(const Node& node, AppRecipe& recipe) {
  Fields fields(node);
  ChooseNumber(fields, fields.Optional("services"), RecipeServiceCount, recipe.services);
  std::vector<Node> names;
  if (const std::optional<Node> topology = fields.Optional("topology")) {
    names.push_back(*topology);
    if (topology->kind() == Node::Kind::kList) {
      BERTH_TRY(names, topology->Items());
    }
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  for (const Node& item : names) {
    BERTH_TRY(const std::string_view name, item.Text());
    const Result<AttachmentSet> set = FindAttachmentSet(name);
    if (!set.ok()) return item.Error(set.status().message());
    recipe.topologies.push_back(set.value());
  }
  return {};
}

Status ReadRecipeServices(const Node& node, AppRecipe& recipe) {
  Fields fields(node);
  if (const std::optional<Node> limits = fields.Required("limits")) {
    Fields parts(*limits);
    ChooseNumber(parts, parts.Required("cpu"), RecipeCpu, recipe.limit_cpu_milli);
    ChooseNumber(parts, parts.Required("memory"), RecipeBytes, recipe.limit_memory_bytes);
    fields.Check(parts.Finish());
  }
  ReadRecipeUse(fields, "idle", recipe.idle_cpu_milli, recipe.idle_memory_bytes);
  ChooseSpread(fields, "boot", RecipeMicros, recipe.boot_us);
  ChooseSpread(fields, "termination", RecipeMicros, recipe.termination_us);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (recipe.limit_cpu_milli.least() >= 1 && recipe.limit_memory_bytes.least() >= 1) return {};
  return node.Error("has limits of nothing; write cpu and memory above 0");
}

Status ReadRecipeRequests(const Node& node, AppRecipe& recipe) {
  Fields fields(node);
  ChooseSpread(fields, "processing", RecipeMicros, recipe.processing_us);
  ReadRecipeUse(fields, "need", recipe.request_cpu_milli, recipe.request_memory_bytes);
  ChooseNumber(fields, fields.Optional("request_size"), RecipeBytes, recipe.request_bytes);
  ChooseNumber(fields, fields.Optional("response_size"), RecipeBytes, recipe.response_bytes);
  ChooseNumber(fields, fields.Required("timeout"), RecipeMicros, recipe.timeout_us);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (recipe.timeout_us.least() >= 1) return {};
  return node.Error("has a timeout of nothing; write one above 0");
}

Status ReadRecipeLoad(const Node& node, AppRecipe& recipe, double& scale) {
  Fields fields(node);
  const std::vector<Node> rates = fields.OptionalItems("hourly_rates");
  scale = fields.Number("scale", {.min = 0, .max = 1e9}, 1);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (rates.size() > kRecipeHoursMax) {
    return rates[kRecipeHoursMax].Error(
        fmt::format("is one hour too many; write at most {}", FormatCount(kRecipeHoursMax)));
  }
  recipe.hourly_rates.reserve(rates.size());
  for (const Node& rate : rates) {
    BERTH_TRY(NumberChoice choice, ReadChoice(rate, RecipeRate));
    recipe.hourly_rates.push_back(std::move(choice));
  }
  return {};
}

// "{north: 0.7, south: 0.3}": together one.
Result<std::vector<std::pair<std::string, double>>> ReadRecipeShares(const Node& node) {
  BERTH_TRY(const std::vector<KeyedNode> entries, node.Entries());
  std::vector<std::pair<std::string, double>> shares;
  shares.reserve(entries.size());
  double sum = 0;
  for (const KeyedNode& entry : entries) {
    BERTH_TRY(const double share, entry.value.Number({.min = 0, .max = 1}));
    sum += share;
    shares.emplace_back(std::string(entry.key), share);
  }
  if (std::abs(sum - 1) > kShareRounding) {
    return node.Error(fmt::format("has shares that are {:.6g} together; make them 1", sum));
  }
  return shares;
}

Status ReadRecipeDeployment(const Node& node, const std::string& folder, AppRecipe& recipe) {
  Fields fields(node);
  const std::string prices_file = fields.Text("prices");
  const std::optional<Node> providers = fields.Required("providers");
  const std::optional<Node> regions = fields.Required("regions");
  ChooseNumber(fields, fields.Optional("instances"), RecipeInstanceCount, recipe.instances);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(const PriceList prices, ReadPriceFile(folder + prices_file));
  BERTH_TRY(const auto of_providers, ReadRecipeShares(*providers));
  for (const auto& each : of_providers) {
    const std::string& provider = each.first;
    const std::size_t before = recipe.node_types.size();
    std::ranges::copy_if(prices.types, std::back_inserter(recipe.node_types),
                         [&](const VmType& type) { return type.provider == provider; });
    if (recipe.node_types.size() == before) {
      return providers->Error(fmt::format("there is no provider {} in {}; name one of those there",
                                          Quoted(provider), prices_file));
    }
    const std::optional<Node> own = regions->Find(provider);
    if (!own) {
      return regions->Error(
          fmt::format("has none of {}; write {}: {{NAME: 1.0}}", provider, provider));
    }
    BERTH_TRY(const auto of_regions, ReadRecipeShares(*own));
    for (const auto& [region, part] : of_regions) {
      recipe.deployment.push_back(
          {.region = region, .provider = provider, .share = each.second * part});
    }
  }
  if (recipe.deployment.size() <= kRecipeRegionsMax) return {};
  return regions->Error(fmt::format("has too many regions; write at most {}", kRecipeRegionsMax));
}

// What neither the recipe nor a trace told.
Status CheckRecipeComplete(const Node& root, const AppRecipe& recipe) {
  const auto missing = [&](std::string_view what) {
    return root.Error(
        fmt::format("does not say {}; write it, or name a trace that tells it", what));
  };
  if (recipe.services.least() < 1) return missing("application.services");
  if (recipe.processing_us.mean.most() <= 0) return missing("requests.processing");
  if (recipe.request_cpu_milli.mean.most() <= 0) return missing("requests.need.cpu");
  if (recipe.hourly_rates.empty()) return missing("load.hourly_rates");
  return {};
}

}  // namespace

Result<AppRecipe> ReadRecipe(const std::string& path) {
  BERTH_TRY(const Document document, ReadDocument(path));
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const Node root = document.root();
  AppRecipe recipe;
  Fields fields(root);
  recipe.duration = fields.Length("duration");
  double scale = 1;
  if (const auto part = fields.Optional("application")) {
    fields.Check(ReadRecipeApplication(*part, recipe));
  }
  if (const auto part = fields.Required("services"))
    fields.Check(ReadRecipeServices(*part, recipe));
  if (const auto part = fields.Required("requests"))
    fields.Check(ReadRecipeRequests(*part, recipe));
  if (const auto part = fields.Optional("load")) fields.Check(ReadRecipeLoad(*part, recipe, scale));
  if (const auto part = fields.Required("deployment")) {
    fields.Check(ReadRecipeDeployment(*part, folder, recipe));
  }
  const std::optional<Node> traces = fields.Optional("traces");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (recipe.duration.count() == 0) return root.Error("has no duration; write duration: 1h");
  if (traces) BERTH_RETURN_IF_ERROR(EnrichByTraces(*traces, folder, recipe));
  BERTH_RETURN_IF_ERROR(CheckRecipeComplete(root, recipe));
  if (recipe.topologies.empty()) recipe.topologies.push_back(kAttachmentSets[0]);
  recipe.rate_scale = scale;
  return recipe;
}

}  // namespace berth
