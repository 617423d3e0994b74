// Saving what a sizer knows, service by service, and going on with it.
#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "base/wire.h"
#include "engine/sizer.h"

namespace berth {
namespace {

constexpr std::string_view kOfService = "sizing/service/";
constexpr std::string_view kOfRollout = "sizing/rollout";

void SaveAbove(WireWriter& writer, std::uint32_t field,
               const std::set<std::pair<Resource, std::uint32_t>>& above) {
  for (const auto& [resource, instance] : above) {
    writer.PutMessage(field, [r = resource, number = instance](WireWriter& inner) {
      inner.PutUint(1, number);
      inner.PutUint(2, r == Resource::kCpu ? 0 : 1);
    });
  }
}

Result<MemoryKill> ReadKill(WireReader reader) {
  MemoryKill kill;
  while (reader.Next()) {
    if (reader.field() == 1) kill.at = TimeFromMicros(reader.Int());
    if (reader.field() == 2) kill.limit = reader.Int();
    if (reader.field() == 3) kill.count = reader.Uint<std::uint32_t>();
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (!IsReckonable(kill.at) || kill.limit < 0 || kill.limit > kAmountMax) {
    return Status(Code::kInvalidArgument, "this is no kill that a sizer saved");
  }
  return kill;
}

}  // namespace

std::vector<Observation> Sizer::TakeChanged(std::size_t most) {
  std::vector<Observation> entries;
  if (std::exchange(rollout_changed_, false)) {
    entries.push_back({std::string(kOfRollout), rollout_.Save()});
  }
  for (auto& [key, followed] : followed_) {
    if (entries.size() >= most) break;
    if (!std::exchange(followed.changed, false)) continue;
    std::string bytes;
    WireWriter writer(bytes);
    writer.PutText(1, followed.tenant.str());
    writer.PutText(2, followed.cpu.Save());
    writer.PutText(3, followed.memory.Save());
    for (const auto& [instance, kills] : followed.kills) {
      writer.PutMessage(4, [number = instance, count = kills](WireWriter& inner) {
        inner.PutUint(1, number);
        inner.PutUint(2, count);
      });
    }
    writer.PutUint(5, followed.out_of_memory);
    writer.PutInt(6, ToMicros(followed.seen));
    SaveAbove(writer, 7, followed.above);
    SaveAbove(writer, 12, followed.lately_above);
    writer.PutInt(8, ToMicros(followed.held_until));
    writer.PutText(9, followed.held_because);
    writer.PutInt(10, followed.killed_with);
    writer.PutInt(11, ToMicros(followed.killed_until));
    for (const MemoryKill& kill : followed.last_kills) {
      writer.PutMessage(13, [&kill](WireWriter& inner) {
        inner.PutInt(1, ToMicros(kill.at));
        inner.PutInt(2, kill.limit);
        inner.PutUint(3, kill.count);
      });
    }
    entries.push_back({fmt::format("{}{}/{}", kOfService, key.service, key.type.str()), bytes});
  }
  return entries;
}

std::uint64_t Sizer::Restore(std::span<const Observation> entries) {
  std::uint64_t left_out = 0;
  // First of all who has been rolled back.
  for (const Observation& entry : entries) {
    if (entry.key != kOfRollout) continue;
    RolloutState state;
    if (!state.Restore(entry.value).ok()) {
      ++left_out;
    } else if (policy_.rollout && policy_.rollout->name == state.name) {
      rollout_ = std::move(state);
    }
  }
  for (const Observation& entry : entries) {
    if (entry.key != kOfRollout && !RestoreOne(entry).ok()) ++left_out;
  }
  // Kills that were reported while nobody followed them.
  for (const ServiceState& service : means_.view.services()) {
    for (const Instance& instance : service.instances) {
      if (instance.timeline.out_of_memory > 0) NoteKills(instance, true);
    }
  }
  for (const auto& [key, followed] : followed_) {
    if (followed.cpu.gathers() || followed.memory.gathers()) CloseLater();
  }
  return left_out;
}

Status Sizer::RestoreOne(const Observation& entry) {
  Status is_none(Code::kInvalidArgument, "this is nothing that a sizer saved");
  const std::string_view key_text = entry.key;
  if (!key_text.starts_with(kOfService)) return is_none;
  const std::vector<std::string_view> names = Split(key_text.substr(kOfService.size()), '/');
  if (names.size() != 2 || !IsValidName(names[0]) || !IsValidName(names[1])) return is_none;
  const Key key{std::string(names[0]), TypeId(names[1])};
  if (followed_.size() >= kFollowedMax && !followed_.contains(key)) return is_none;
  Followed read;
  SetRecommenders(key, read);
  const auto read_number = [](WireReader inner, std::uint32_t& number, std::uint32_t& count) {
    while (inner.Next()) {
      if (inner.field() == 1) number = inner.Uint<std::uint32_t>();
      if (inner.field() == 2) count = inner.Uint<std::uint32_t>();
    }
    return inner.status();
  };
  WireReader reader(entry.value);
  while (reader.Next()) {
    std::uint32_t number = 0;
    std::uint32_t count = 0;
    if (reader.field() == 1) read.tenant = TenantId(reader.Text());
    if (reader.field() == 2) BERTH_RETURN_IF_ERROR(read.cpu.Restore(reader.Text()));
    if (reader.field() == 3) BERTH_RETURN_IF_ERROR(read.memory.Restore(reader.Text()));
    if (reader.field() == 4) {
      BERTH_RETURN_IF_ERROR(read_number(reader.Message(), number, count));
      read.kills[number] = count;
    }
    if (reader.field() == 5) read.out_of_memory = reader.Uint();
    if (reader.field() == 6) read.seen = TimeFromMicros(reader.Int());
    if (reader.field() == 7 || reader.field() == 12) {
      auto& above = reader.field() == 7 ? read.above : read.lately_above;
      BERTH_RETURN_IF_ERROR(read_number(reader.Message(), number, count));
      above.insert({count == 0 ? Resource::kCpu : Resource::kMemory, number});
    }
    if (reader.field() == 8) read.held_until = TimeFromMicros(reader.Int());
    if (reader.field() == 9) read.held_because = reader.Text();
    if (reader.field() == 10) read.killed_with = reader.Int();
    if (reader.field() == 11) read.killed_until = TimeFromMicros(reader.Int());
    if (reader.field() == 13) {
      BERTH_TRY(const MemoryKill kill, ReadKill(reader.Message()));
      if (read.last_kills.size() < kKillsKept) read.last_kills.push_back(kill);
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (!IsReckonable(read.seen) || !IsReckonable(read.held_until) || read.killed_with < 0 ||
      read.killed_with > kAmountMax) {
    return is_none;
  }
  const ServiceState* service = means_.view.FindService(key.service);
  const bool off = service != nullptr && ModeOf(*service) == SizingMode::kOff;
  if (!off) followed_.insert_or_assign(key, std::move(read));
  return {};
}

}  // namespace berth
