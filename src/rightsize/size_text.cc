#include "rightsize/size_text.h"

namespace berth {

std::int64_t RoundedSize(Resource resource, std::int64_t amount) {
  constexpr std::int64_t kMi = std::int64_t{1} << 20;
  if (resource == Resource::kCpu) return amount;
  return (amount / kMi + (amount % kMi > 0 ? 1 : 0)) * kMi;
}

std::string FormatSize(Resource resource, std::int64_t amount) {
  return FormatAmount(resource, RoundedSize(resource, amount));
}

}  // namespace berth
