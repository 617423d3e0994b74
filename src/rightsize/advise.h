// What every service should be given, from all that is known of its usage: one limit for all its
// instances, within its bounds, and the reason for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rightsize/sizing_settings.h"
#include "usage/usage_file.h"

namespace berth {

struct SizeRecommendation {
  std::string service;
  Resource resource = Resource::kCpu;
  std::int64_t now = 0;  // What its owner asks for; 0 if the file does not say.
  SizeAdvice advice;
  std::string why;  // One sentence; what bounds changed follows it.
};

// None of a resource that it never took.
Result<std::optional<SizeRecommendation>> RecommendSize(const ServiceUsage& usage,
                                                        Resource resource,
                                                        const ServiceSizing& sizing);

}  // namespace berth
