#include "rightsize/followed_usage.h"

#include <algorithm>
#include <utility>

#include "base/packed.h"
#include "base/wire.h"
#include "berth/check.h"
#include "rightsize/choose_recommender.h"

namespace berth {
namespace {

// What was asked for may change, and whose it is is not written; what is known of the usage stays.
bool IsOfOneKind(Sized a, const Sized& b) {
  a.request = b.request;
  a.service = b.service;
  return a == b;
}

void SaveAdvisor(const FollowedUsage::Advisor& advisor, WireWriter& writer) {
  writer.PutText(1, advisor.name);
  writer.PutUint(2, static_cast<std::uint64_t>(advisor.sized.cpu));
  writer.PutUint(3, static_cast<std::uint64_t>(advisor.sized.oom));
  writer.PutText(4, advisor.recommender->Save());
}

struct SavedAdvisor {
  std::string name;
  Sized sized;
  std::string_view state;
};
Result<SavedAdvisor> ReadAdvisor(Resource resource, WireReader reader) {
  SavedAdvisor saved;
  saved.sized.resource = resource;
  while (reader.Next()) {
    if (reader.field() == 1) saved.name = reader.Text();
    if (reader.field() == 2) saved.sized.cpu = static_cast<CpuKind>(reader.Uint<std::uint8_t>());
    if (reader.field() == 3)
      saved.sized.oom = static_cast<OomTolerance>(reader.Uint<std::uint8_t>());
    if (reader.field() == 4) saved.state = reader.Text();
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  return saved;
}

}  // namespace

void FollowedUsage::Use(std::span<const std::string> names, const Sized& sized,
                        const ProgramDesk& desk) {
  std::vector<Advisor> used;
  used.reserve(names.size());
  for (const std::string& name : names) {
    const auto had = std::ranges::find_if(advisors_, [&](const Advisor& one) {
      return one.name == name && one.recommender != nullptr && IsOfOneKind(one.sized, sized);
    });
    if (had != advisors_.end() && had->sized == sized) {
      used.push_back(std::move(*had));
      continue;
    }
    used.push_back({name, sized, MakeLiveRecommender(name, sized, desk)});
    if (had != advisors_.end()) {
      BERTH_CHECK(used.back().recommender->Restore(had->recommender->Save()).ok());
    }
  }
  advisors_ = std::move(used);
  desk_ = &desk;
}

FollowedUsage::Passed FollowedUsage::Close(Time upto) {
  Passed passed;
  for (const GatheredUsage::Closed& window : gathered_.Close(upto)) {
    for (const Advisor& advisor : advisors_) {
      advisor.recommender->Observe(
          {.end = window.end, .samples = window.samples, .histogram = window.histogram});
    }
    if (!since_) since_ = window.end;
    used_ = window.histogram.Mean(Buckets::Of(resource_));
    ++passed.windows;
    passed.instance_windows += window.instances;
  }
  return passed;
}

void FollowedUsage::ObserveOom(std::int64_t used, Time at) {
  for (const Advisor& advisor : advisors_) advisor.recommender->ObserveOom(used, at);
}

const Recommender* FollowedUsage::InForce() const {
  if (advisors_.empty() || !advisors_.front().recommender->Recommend()) return nullptr;
  return advisors_.front().recommender.get();
}

std::string FollowedUsage::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutText(1, gathered_.Save());
  for (const Advisor& advisor : advisors_) {
    writer.PutMessage(2, [&](WireWriter& inner) { SaveAdvisor(advisor, inner); });
  }
  // Zero is not written, and is no end of a window that begins at zero or later.
  if (since_) writer.PutInt(3, ToMicros(*since_));
  writer.PutFixed(4, BitsOf(used_));
  return bytes;
}

Status FollowedUsage::Restore(std::string_view bytes) {
  FollowedUsage read(resource_);
  std::vector<std::string> names;
  for (const Advisor& advisor : advisors_) names.push_back(advisor.name);
  if (!advisors_.empty()) read.Use(names, advisors_.front().sized, *desk_);
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) BERTH_RETURN_IF_ERROR(read.gathered_.Restore(reader.Text()));
    if (reader.field() == 3) read.since_ = TimeFromMicros(reader.Int());
    if (reader.field() == 4) read.used_ = FromBits(reader.Fixed());
    if (reader.field() != 2) continue;
    BERTH_TRY(const SavedAdvisor saved, ReadAdvisor(resource_, reader.Message()));
    for (const Advisor& advisor : read.advisors_) {
      if (advisor.name != saved.name || !IsOfOneKind(advisor.sized, saved.sized)) continue;
      BERTH_RETURN_IF_ERROR(advisor.recommender->Restore(saved.state));
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (!(read.used_ >= 0 && read.used_ <= static_cast<double>(kAmountMax)) ||
      (read.since_ && !IsReckonable(*read.since_))) {
    return {Code::kInvalidArgument, "this is no state of what was followed"};
  }
  *this = std::move(read);
  return {};
}

}  // namespace berth
