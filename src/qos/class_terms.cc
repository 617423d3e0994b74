#include "qos/class_terms.h"

#include <functional>
#include <set>

#include "berth/check.h"

namespace berth {

std::vector<ClassTerms> TermsOf(std::span<const ServiceClass> classes) {
  std::set<std::uint32_t, std::greater<>> importances;
  for (const ServiceClass& klass : classes) importances.insert(klass.importance);
  std::vector<ClassTerms> terms;
  for (const ServiceClass& klass : classes) {
    BERTH_CHECK(klass.availability_ppm > 0);
    const auto rank = std::distance(importances.begin(), importances.find(klass.importance));
    terms.push_back({.target_ppm = klass.availability_ppm,
                     .rank = static_cast<std::uint32_t>(rank),
                     .margin = klass.margin,
                     .overhead_cap_ppm = klass.overhead_cap_ppm});
  }
  return terms;
}

}  // namespace berth
