#include "sim/rightsizing/split.h"

#include "base/fields.h"

namespace berth {
namespace {

std::uint64_t Fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

bool SizingSplit::IsHeldOut(std::string_view service) const {
  return Fnv1a(service) % of < held_out;
}

bool SizingSplit::Scores(SizingPart part, std::string_view service, std::uint32_t day) const {
  switch (part) {
    case SizingPart::kAll:
      return true;
    case SizingPart::kTuning:
      return !IsHeldOut(service) && day < tuning_days;
    case SizingPart::kHeldOut:
      return IsHeldOut(service) && day >= tuning_days;
  }
  return false;
}

Result<SizingSplit> ReadSizingSplit(const std::string& path) {
  BERTH_TRY(const Document document, ReadDocument(path));
  Fields fields(document.root());
  SizingSplit split;
  split.of = fields.Integer<std::uint64_t>("of", {.min = 1, .max = 1'000'000});
  split.held_out = fields.Integer<std::uint64_t>("held_out", {.min = 0, .max = 1'000'000});
  split.tuning_days = fields.Integer<std::uint32_t>("tuning_days", {.min = 0, .max = 100'000});
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return split;
}

}  // namespace berth
