#include "rightsize/advise.h"

#include <fmt/format.h>

#include <utility>

namespace berth {
namespace {

SizeRecommendation Bounded(const std::string& service, Resource resource, std::int64_t now,
                           const ServiceSizing& sizing, const SizeAdvice& advice, std::string why) {
  const BoundedAdvice bounded = ApplyBounds(resource, advice, now, sizing.of(resource));
  for (const std::string& note : bounded.notes) why += fmt::format("; {}", note);
  return {.service = service,
          .resource = resource,
          .now = now,
          .advice = bounded.advice,
          .why = std::move(why)};
}

}  // namespace

Result<std::optional<SizeRecommendation>> RecommendSize(const ServiceUsage& usage,
                                                        Resource resource,
                                                        const ServiceSizing& sizing,
                                                        RecommenderChoice& choice) {
  BERTH_TRY(const ChosenRecommender chosen, choice.Find(sizing.recommender));
  if (!IsUsed(usage, resource)) return std::optional<SizeRecommendation>();
  const std::unique_ptr<Recommender> recommender = chosen.make({.resource = resource,
                                                                .cpu = sizing.cpu_kind,
                                                                .oom = sizing.oom_tolerance,
                                                                .request = usage.asked[resource],
                                                                .service = usage.service});
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
  return std::optional(
      Bounded(usage.service, resource, usage.asked[resource], sizing, *advice, recommender->Why()));
}

std::optional<SizeRecommendation> RecommendFirstSize(const std::string& service, Resource resource,
                                                     std::int64_t request,
                                                     const ServiceSizing& sizing,
                                                     std::span<const KnownSize> known) {
  const std::optional<FirstSize> first = SizeLikeOthers(
      resource, {.tenant = sizing.tenant, .type = sizing.type, .request = request}, known);
  if (!first) return std::nullopt;
  const SizeAdvice advice{.target = first->target, .lower = first->target, .upper = first->target};
  return Bounded(service, resource, request, sizing, advice, first->why);
}

}  // namespace berth
