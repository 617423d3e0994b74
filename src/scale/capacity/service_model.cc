#include "scale/capacity/service_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace berth {
namespace {

// Rounding must not cost an instance: 0.7 * 40 is a little off 28.
constexpr double kUtilisationRounding = 1e-9;

class SharedTimeModel final : public ResponseModel {
 public:
  explicit SharedTimeModel(double service_s) : service_s_(service_s) {}
  double ResponseSeconds(const ServicePoint& point) const override {
    if (point.utilisation >= 1) return std::numeric_limits<double>::infinity();
    return service_s_ / (1 - point.utilisation);
  }

 private:
  double service_s_;
};

bool ServesInTime(const ServiceModel& service, double load, std::uint32_t instances) {
  const double utilisation = UtilisationOf(service, load, instances);
  if (utilisation > service.utilisation_max * (1 + kUtilisationRounding)) return false;
  if (!service.slo_s) return true;
  const ServicePoint point{
      .requests_per_s = load * service.calls, .instances = instances, .utilisation = utilisation};
  return service.response->ResponseSeconds(point) <= *service.slo_s * (1 + kUtilisationRounding);
}

// No smaller number keeps the utilisation.
std::uint32_t FewestByUtilisation(const ServiceModel& service, double load) {
  const double whole = load * service.calls / (service.requests_per_s * service.utilisation_max) *
                       (1 - kUtilisationRounding);
  if (whole >= service.instances_max) return service.instances_max;
  return std::max(service.instances_min, static_cast<std::uint32_t>(whole));
}

}  // namespace

std::unique_ptr<ResponseModel> NewSharedTimeModel(double service_s) {
  return std::make_unique<SharedTimeModel>(service_s);
}

double UtilisationOf(const ServiceModel& service, double load, std::uint32_t instances) {
  return load * service.calls / (service.requests_per_s * instances);
}

Result<std::uint32_t> InstancesFor(const ServiceModel& service, double load) {
  if (service.response) {
    const Status known = service.response->Knows(load * service.calls);
    if (!known.ok()) {
      return Status(known.code(), fmt::format("{}: {}", service.name, known.message()));
    }
  }
  // One by one: a learnt model may be better with fewer.
  for (std::uint32_t n = FewestByUtilisation(service, load); n <= service.instances_max; ++n) {
    if (ServesInTime(service, load, n)) return n;
  }
  return Status(Code::kFailedPrecondition,
                fmt::format("{}: no number of instances up to {} serves {:.6g} requests/s{}; raise "
                            "max_instances{}",
                            service.name, FormatCount(service.instances_max), load * service.calls,
                            service.slo_s ? fmt::format(" within {:.6g} ms", 1e3 * *service.slo_s)
                                          : std::string(),
                            service.slo_s ? ", or the slo" : ""));
}

}  // namespace berth
