#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/document.h"
#include "base/fields.h"
#include "fleet/file_parts.h"
#include "perfmodel/model_set.h"
#include "scale/capacity/learned_response.h"
#include "scale/capacity/service_model.h"

namespace berth {
namespace {

constexpr double kRateMax = 1e9;

// That of the model file, if it is one.
using ModelFolder = std::optional<std::filesystem::path>;

double SecondsOf(Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

Result<std::shared_ptr<const ResponseModel>> ReadLearned(const Node& node,
                                                         const ModelFolder& folder,
                                                         const std::string& service) {
  BERTH_TRY(const std::string_view file, node.Text());
  if (!folder) {
    return node.Error(
        "is a file, and only a model that is one itself may name others; leave it "
        "out, and write service_time");
  }
  Result<PerformanceModelSet> models = ReadModels((*folder / file).string());
  if (!models.ok()) return node.Error(models.status().message());
  auto learned = NewLearnedResponse(std::move(models).value(), service);
  if (!learned.ok()) return node.Error(learned.status().message());
  return std::shared_ptr<const ResponseModel>(std::move(learned).value());
}

void ReadResponse(Fields& fields, const Node& node, const ModelFolder& folder,
                  ServiceModel& service) {
  const Duration service_time = fields.Length("service_time", Duration(0));
  const Duration slo = fields.Length("slo", Duration(0));
  const bool one_alone = (service_time.count() > 0) != (slo.count() > 0);
  if (const std::optional<Node> file = fields.Optional("response_model")) {
    if (service_time.count() > 0 || slo.count() == 0) {
      fields.Check(file->Error("goes with an slo above zero and without service_time"));
      return;
    }
    auto learned = ReadLearned(*file, folder, service.name);
    fields.Check(learned.status());
    if (!learned.ok()) return;
    service.slo_s = SecondsOf(slo);
    service.response = std::move(learned).value();
  } else if (one_alone) {
    fields.Check(node.Error("has one of service_time and slo; write both above zero, or none"));
  } else if (slo.count() > 0 && slo <= service_time) {
    fields.Check(
        node.Error("has an slo that an idle instance misses; write one above "
                   "service_time"));
  } else if (slo.count() > 0) {
    service.slo_s = SecondsOf(slo);
    service.response = NewSharedTimeModel(SecondsOf(service_time));
  }
}

Result<ServiceModel> ReadServiceModel(const Node& node, const ModelFolder& folder) {
  Fields fields(node);
  ServiceModel service;
  service.name = fields.Name("name");
  service.requests_per_s = fields.Number("requests_per_second", {.min = 1e-6, .max = kRateMax});
  if (const std::optional<Node> share = fields.Optional("utilisation")) {
    const Result<std::int64_t> percent = ReadShare(*share, {.whole = 100, .min = 1, .max = 100});
    fields.Check(percent.status());
    if (percent.ok()) service.utilisation_max = static_cast<double>(percent.value()) / 100;
  }
  ReadResponse(fields, node, folder, service);
  service.calls = fields.Number("calls", {.min = 0, .max = 1e6}, 1);
  service.need = ReadResources(fields, {});
  service.boot = fields.Length("boot", Duration(0));
  service.blocks_scale_down = fields.Bool("blocks_scale_down", false);
  service.instances_min =
      fields.Integer<std::uint32_t>("min_instances", {.min = 1, .max = kModelInstancesMax}, 1);
  service.instances_max = fields.Integer<std::uint32_t>(
      "max_instances", {.min = 1, .max = kModelInstancesMax}, kModelInstancesMax);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (service.need.IsZero()) return node.Error("needs nothing; write cpu and memory");
  if (service.instances_max < service.instances_min) {
    return node.Error("has max_instances below min_instances; raise it");
  }
  return service;
}

Result<std::vector<ServiceModel>> ParseServices(std::string_view text, const std::string& file_name,
                                                const ModelFolder& folder) {
  BERTH_TRY(const Document document, ParseDocument(text, file_name));
  Fields fields(document.root());
  const std::vector<Node> items = fields.Items("services");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (items.empty()) return document.root().Error("has no services; write at least one");
  if (items.size() > kModelServicesMax) {
    return items[kModelServicesMax].Error(
        fmt::format("is one service too many; a model has at most {}", kModelServicesMax));
  }
  std::vector<ServiceModel> services;
  services.reserve(items.size());
  FirstUses names;
  for (const Node& item : items) {
    BERTH_TRY(ServiceModel service, ReadServiceModel(item, folder));
    BERTH_RETURN_IF_ERROR(names.Add(item, "service", service.name));
    services.push_back(std::move(service));
  }
  return services;
}

}  // namespace

Result<std::vector<ServiceModel>> ParseModelFile(std::string_view text,
                                                 const std::string& file_name) {
  return ParseServices(text, file_name, std::nullopt);
}

Result<std::vector<ServiceModel>> ReadModelFile(const std::string& path) {
  BERTH_TRY(const std::string text, ReadText(path));
  return ParseServices(text, path, std::filesystem::path(path).parent_path());
}

}  // namespace berth
