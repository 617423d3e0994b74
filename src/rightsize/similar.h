// What a service should be given before anything is known of it: as much as those like it. First
// those of the same tenant and type, then those of the same type; and if there is none, what its
// owner asked for. (Autopilot learns from no other service; this does.)
#pragma once

#include <optional>
#include <span>
#include <string>

#include "berth/resources.h"

namespace berth {

// A service of which enough is known.
struct KnownSize {
  std::string service;
  std::string tenant;
  std::string type;  // As its owner calls it: services of no type are like nobody.
  std::int64_t target = 0;
};

struct FirstSize {
  std::int64_t target = 0;
  std::string why;  // "512Mi: median of 3 services of type java and tenant shop: a, b, c".
};

struct UnknownService {
  std::string tenant;
  std::string type;
  std::int64_t request = 0;  // 0: not known.
};

// None if there is neither anybody like it nor a request.
std::optional<FirstSize> SizeLikeOthers(Resource resource, const UnknownService& service,
                                        std::span<const KnownSize> known);

}  // namespace berth
