// Saving what a replicator knows, service by service, and going on with it.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/packed.h"
#include "base/wire.h"
#include "berth/name.h"
#include "engine/replicator.h"
#include "usage/window.h"

namespace berth {
namespace {

constexpr std::string_view kCountOf = "scaling/service/";

Status NothingSaved() {
  return {Code::kInvalidArgument, "this is nothing that a replicator saved"};
}

}  // namespace

// Of an instance by its number, or of a metric by its name.
struct Replicator::SavedSample {
  std::uint32_t number = 0;
  std::string_view name;
  Sampled sampled;

  void Put(WireWriter& writer) const {
    writer.PutUint(1, number);
    writer.PutText(2, name);
    writer.PutInt(3, ToMicros(sampled.at));
    writer.PutFixed(4, BitsOf(sampled.value));
    writer.PutFixed(5, BitsOf(sampled.sum));
    writer.PutUint(6, sampled.count);
  }
  static Result<SavedSample> Read(WireReader reader) {
    SavedSample read;
    read.sampled.at = Time();  // Which is left out when it is written.
    while (reader.Next()) {
      if (reader.field() == 1) read.number = reader.Uint<std::uint32_t>();
      if (reader.field() == 2) read.name = reader.Text();
      if (reader.field() == 3) read.sampled.at = TimeFromMicros(reader.Int());
      if (reader.field() == 4) read.sampled.value = FromBits(reader.Fixed());
      if (reader.field() == 5) read.sampled.sum = FromBits(reader.Fixed());
      if (reader.field() == 6) read.sampled.count = reader.Uint();
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    const Sampled& sampled = read.sampled;
    if (std::isfinite(sampled.value) && std::isfinite(sampled.sum) && IsReckonable(sampled.at)) {
      return read;
    }
    return NothingSaved();
  }
};

struct Replicator::SavedCount {
  std::string_view tenant;
  std::string_view type;
  std::string_view role;
  std::string_view state_key;
  std::string_view advisor;
  std::vector<SavedSample> cpu;
  std::vector<SavedSample> metrics;
  Time held_until;
  std::string_view held_because;
  bool held_growing = false;

  static Result<SavedCount> Read(std::string_view bytes) {
    SavedCount read;
    WireReader reader(bytes);
    while (reader.Next()) {
      const std::uint32_t field = reader.field();
      if (field == 1) read.tenant = reader.Text();
      if (field == 2) read.type = reader.Text();
      if (field == 3) read.role = reader.Text();
      if (field == 4) read.state_key = reader.Text();
      if (field == 5) read.advisor = reader.Text();
      if (field == 6 || field == 7) {
        BERTH_TRY(const SavedSample sample, SavedSample::Read(reader.Message()));
        (field == 6 ? read.cpu : read.metrics).push_back(sample);
      }
      if (field == 8) read.held_until = TimeFromMicros(reader.Int());
      if (field == 9) read.held_because = reader.Text();
      if (field == 10) read.held_growing = reader.Uint() != 0;
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (!IsReckonable(read.held_until)) return NothingSaved();
    return read;
  }
};

std::vector<Observation> Replicator::TakeChanged(std::size_t most) {
  std::vector<Observation> entries;
  while (entries.size() < most && !forgotten_.empty()) {
    entries.push_back({fmt::format("{}{}", kCountOf, *forgotten_.begin()), {}});
    forgotten_.erase(forgotten_.begin());
  }
  for (auto& [name, followed] : followed_) {
    if (entries.size() >= most) break;
    if (!std::exchange(followed.changed, false)) continue;
    entries.push_back({fmt::format("{}{}", kCountOf, name), Saved(followed)});
  }
  return entries;
}

std::string Replicator::Saved(const Followed& followed) {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutText(1, followed.tenant.str());
  writer.PutText(2, followed.type.str());
  writer.PutText(3, followed.role.str());
  writer.PutText(4, followed.state_key);
  if (followed.advisor) writer.PutText(5, followed.advisor->Save());
  for (const auto& [number, sampled] : followed.cpu) {
    const SavedSample sample{.number = number, .name = {}, .sampled = sampled};
    writer.PutMessage(6, [&](WireWriter& inner) { sample.Put(inner); });
  }
  for (const auto& [metric, sampled] : followed.metrics) {
    const SavedSample sample{.number = 0, .name = metric, .sampled = sampled};
    writer.PutMessage(7, [&](WireWriter& inner) { sample.Put(inner); });
  }
  writer.PutInt(8, ToMicros(followed.held_until));
  writer.PutText(9, followed.held_because);
  writer.PutUint(10, followed.held_growing ? 1 : 0);
  return bytes;
}

std::uint64_t Replicator::Restore(std::span<const Observation> entries) {
  std::uint64_t left_out = 0;
  for (const Observation& entry : entries) {
    if (!entry.value.empty() && !RestoreOne(entry).ok()) ++left_out;
  }
  if (!followed_.empty()) LookLater();
  return left_out;
}

Status Replicator::RestoreOne(const Observation& entry) {
  const std::string_view key = entry.key;
  if (!key.starts_with(kCountOf) || !IsValidName(key.substr(kCountOf.size()))) {
    return NothingSaved();
  }
  BERTH_TRY(const SavedCount read, SavedCount::Read(entry.value));
  // Who is gone, or became another in the meantime, is none of ours.
  const ServiceState* service = means_.view.FindService(std::string(key.substr(kCountOf.size())));
  if (service == nullptr || service->record.tenant.str() != read.tenant) return {};
  Followed* followed = Follow(*service);
  if (followed == nullptr || followed->type.str() != read.type ||
      followed->role.str() != read.role) {
    return {};
  }
  if (followed->advisor && followed->state_key == read.state_key) {
    BERTH_RETURN_IF_ERROR(followed->advisor->Restore(read.advisor));
  }
  followed->cpu.clear();
  for (const SavedSample& sample : read.cpu) followed->cpu[sample.number] = sample.sampled;
  followed->metrics.clear();
  for (const SavedSample& sample : read.metrics) {
    followed->metrics[std::string(sample.name)] = sample.sampled;
  }
  followed->held_until = read.held_until;
  followed->held_because = read.held_because;
  followed->held_growing = read.held_growing;
  return {};
}

}  // namespace berth
