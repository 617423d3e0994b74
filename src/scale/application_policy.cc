#include "scale/application_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "scale/space/autoscaler_file.h"
#include "scale/space/space_policy.h"

namespace berth {
namespace {

constexpr Resources SomeNeed() {
  Resources need;
  need[Resource::kCpu] = 1'000;
  need[Resource::kMemory] = std::int64_t{1} << 30;
  return need;
}

Result<PlannedService> ReadPlannedService(const Node& node) {
  Fields fields(node);
  PlannedService service;
  service.name = fields.Name("name");
  service.role = fields.Name("role", "");
  service.boot = fields.Length("boot", Duration(0));
  for (const Node& called : fields.OptionalItems("calls")) {
    const Result<std::string_view> name = called.Name();
    fields.Check(name.status());
    if (name.ok()) service.calls.emplace_back(name.value());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return service;
}

Status CheckCalls(const Node& node, const PlannedApplication& application) {
  for (const PlannedService& service : application.services) {
    for (const std::string& called : service.calls) {
      if (std::ranges::find(application.services, called, &PlannedService::name) !=
          application.services.end()) {
        continue;
      }
      return node.Error(
          fmt::format("{} calls {}, which is none of its services; add it, or leave "
                      "the call out",
                      service.name, Quoted(called)));
    }
  }
  return {};
}

// By service the application that it is of.
using Owners = std::map<std::string, std::string, std::less<>>;

Status ReadPlannedServices(const std::vector<Node>& nodes, Owners& owners,
                           PlannedApplication& application) {
  for (const Node& node : nodes) {
    BERTH_TRY(PlannedService service, ReadPlannedService(node));
    const auto [owner, is_new] = owners.try_emplace(service.name, application.name);
    if (!is_new) {
      return node.Error(fmt::format("{} is a service of the application {} already; name it once",
                                    Quoted(service.name), Quoted(owner->second)));
    }
    application.services.push_back(std::move(service));
  }
  return {};
}

Result<PlannedApplication> ReadApplication(const Node& node, Owners& owners) {
  Fields fields(node);
  PlannedApplication application{.scaling = node};
  application.name = fields.Name("name");
  ReadScalingMode(fields, application.mode);
  const std::vector<Node> services = fields.Items("services");
  const std::optional<Node> scaling = fields.Required("scaling");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  application.scaling = *scaling;
  if (services.empty() || services.size() > kPolicyServicesMax) {
    return node.Error(fmt::format("has {}; name 1 to {} services", services.size(),
                                  FormatCount(kPolicyServicesMax)));
  }
  BERTH_RETURN_IF_ERROR(ReadPlannedServices(services, owners, application));
  BERTH_RETURN_IF_ERROR(CheckCalls(node, application));
  // What instances need is known when they are there; whether the rest holds, now.
  const std::vector<Resources> needs(application.services.size(), SomeNeed());
  BERTH_RETURN_IF_ERROR(application.NewAutoscaler(needs).status());
  return application;
}

}  // namespace

ScaledApplication PlannedApplication::Scaled(std::span<const Resources> needs) const {
  ScaledApplication scaled;
  const auto index_of = [&](const std::string& service) {
    const auto found = std::ranges::find(services, service, &PlannedService::name);
    return static_cast<std::size_t>(found - services.begin());
  };
  for (std::size_t s = 0; s < services.size(); ++s) {
    scaled.services.push_back(
        {.name = services[s].name, .need = needs[s], .boot = services[s].boot});
    for (const std::string& called : services[s].calls) {
      scaled.services.back().next.push_back(index_of(called));
    }
  }
  for (std::size_t s = 0; s < services.size(); ++s) {
    for (const std::size_t next : scaled.services[s].next) {
      scaled.services[next].previous.push_back(s);
    }
  }
  return scaled;
}

Result<std::unique_ptr<Autoscaler>> PlannedApplication::NewAutoscaler(
    std::span<const Resources> needs) const {
  return ReadAutoscaler(scaling, Scaled(needs));
}

Result<std::vector<PlannedApplication>> ParseApplications(const Node& policy) {
  std::vector<PlannedApplication> applications;
  const std::optional<Node> section = policy.Find("applications");
  if (!section) return applications;
  BERTH_TRY(const std::vector<Node> nodes, section->Items());
  if (nodes.size() > kApplicationsMax) {
    return section->Error(
        fmt::format("names {} applications, and {} are the most", nodes.size(), kApplicationsMax));
  }
  Owners owners;
  for (const Node& node : nodes) {
    BERTH_TRY(PlannedApplication application, ReadApplication(node, owners));
    const auto same = [&](const PlannedApplication& other) {
      return other.name == application.name;
    };
    if (std::ranges::any_of(applications, same)) {
      return node.Error(fmt::format("{} is there twice", Quoted(application.name)));
    }
    applications.push_back(std::move(application));
  }
  return applications;
}

}  // namespace berth
