#include "rightsize/advise.h"

#include <fmt/format.h>

namespace berth {

Result<std::optional<SizeRecommendation>> RecommendSize(const ServiceUsage& usage,
                                                        Resource resource,
                                                        const ServiceSizing& sizing) {
  BERTH_TRY(const RecommenderEntry entry, FindRecommender(sizing.recommender));
  if (!IsUsed(usage, resource)) return std::optional<SizeRecommendation>();
  const std::unique_ptr<Recommender> recommender = entry.make({.resource = resource,
                                                               .cpu = sizing.cpu_kind,
                                                               .oom = sizing.oom_tolerance,
                                                               .request = usage.asked[resource]});
  const Buckets& buckets = Buckets::Of(resource);
  WindowHistogram histogram;
  for (const ServiceWindow& window : usage.windows) {
    const std::vector<float>& samples = SamplesOf(window, resource);
    histogram.Clear();
    for (const float sample : samples) histogram.Add(buckets.Find(sample));
    recommender->Observe(
        {.end = window.begin + kWindowLength, .samples = samples, .histogram = histogram});
  }
  const std::optional<SizeAdvice> advice = recommender->Recommend();
  if (!advice) return std::optional<SizeRecommendation>();
  const BoundedAdvice bounded =
      ApplyBounds(resource, *advice, usage.asked[resource], sizing.of(resource));
  std::string why = recommender->Why();
  for (const std::string& note : bounded.notes) why += fmt::format("; {}", note);
  return std::optional(SizeRecommendation{.service = usage.service,
                                          .resource = resource,
                                          .now = usage.asked[resource],
                                          .advice = bounded.advice,
                                          .why = std::move(why)});
}

}  // namespace berth
