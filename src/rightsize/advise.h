// What every service should be given, from all that is known of its usage: one limit for all its
// instances, within its bounds, and the reason for it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rightsize/choose_recommender.h"
#include "rightsize/similar.h"
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

// A service with less usage than this gets its first size instead.
inline constexpr std::size_t kFewWindows = 12;

// From services like it, or its owner's request, within its bounds. None if there is neither.
std::optional<SizeRecommendation> RecommendFirstSize(const std::string& service, Resource resource,
                                                     std::int64_t request,
                                                     const ServiceSizing& sizing,
                                                     std::span<const KnownSize> known);

// None of a resource that it never took.
Result<std::optional<SizeRecommendation>> RecommendSize(const ServiceUsage& usage,
                                                        Resource resource,
                                                        const ServiceSizing& sizing,
                                                        RecommenderChoice& choice);

}  // namespace berth
