// How many instances of a service its load takes: the smallest number that keeps utilisation and
// response time within their bounds, where RT = f(load, instances, utilisation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/resources.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

inline constexpr std::size_t kModelServicesMax = 50;
inline constexpr std::uint32_t kModelInstancesMax = 10'000;

// What a model of response times is asked about.
struct ServicePoint {
  double requests_per_s = 0;  // Of all instances together.
  std::uint32_t instances = 1;
  double utilisation = 0;  // Of each: 1 when it can serve no more.
};

class ResponseModel {
 public:
  virtual ~ResponseModel() = default;
  // Seconds, perhaps infinite; never NaN.
  virtual double ResponseSeconds(const ServicePoint& point) const = 0;
  // Why it can say nothing about this load, whatever the instances.
  virtual Status Knows(double /*requests_per_s*/) const { return {}; }
};

// Requests share an instance's time and come at random: service time / (1 - utilisation).
std::unique_ptr<ResponseModel> NewSharedTimeModel(double service_s);

struct ServiceModel {
  std::string name{};
  double requests_per_s = 0;      // That one instance serves at a utilisation of 1.
  double utilisation_max = 1;     // Above 0, at most 1.
  std::optional<double> slo_s{};  // Of `response`: both or none.
  std::shared_ptr<const ResponseModel> response{};
  double calls = 1;  // Requests that it gets for each of the load.
  Resources need{};  // Of one instance.
  Duration boot{};
  bool blocks_scale_down = false;  // The Cluster Autoscaler leaves nodes with its instances alone.
  std::uint32_t instances_min = 1;
  std::uint32_t instances_max = kModelInstancesMax;
};

double UtilisationOf(const ServiceModel& service, double load, std::uint32_t instances);

// The smallest number for this load of the application, or why no number is allowed that serves it.
Result<std::uint32_t> InstancesFor(const ServiceModel& service, double load);

// Model files: the format is in docs/capacity.md. At least one service, at most kModelServicesMax.
// Only a file that was read from disk may name files of response models, beside itself.
Result<std::vector<ServiceModel>> ParseModelFile(std::string_view text,
                                                 const std::string& file_name);
Result<std::vector<ServiceModel>> ReadModelFile(const std::string& path);

}  // namespace berth
