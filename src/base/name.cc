#include "berth/name.h"

#include <array>
#include <mutex>
#include <unordered_set>

namespace berth {
namespace {

constexpr std::size_t kShardCount = 16;
constexpr std::size_t kNameLengthMax = 128;

struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's own name.
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

// Its own cache line, so that threads interning different names do not slow each other.
struct alignas(64) Shard {
  std::mutex mutex;
  std::unordered_set<std::string, TextHash, std::equal_to<>> texts;  // Nodes never move.
};

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

Shard& ShardOf(std::string_view text) {
  // Never destroyed: names are used by destructors that run after main.
  static auto* const kShards = new std::array<Shard, kShardCount>;
  // The table inside the shard uses the low bits.
  return (*kShards)[(TextHash{}(text) >> 48) % kShardCount];
}

const std::string* Empty() {
  static const std::string* const kEmpty = new std::string;
  return kEmpty;
}

}  // namespace

const std::string* Intern(std::string_view text) {
  if (text.empty()) return Empty();
  Shard& shard = ShardOf(text);
  const std::lock_guard lock(shard.mutex);
  auto found = shard.texts.find(text);
  if (found == shard.texts.end()) found = shard.texts.emplace(text).first;
  return &*found;
}

const std::string* FindInterned(std::string_view text) {
  if (text.empty()) return Empty();
  Shard& shard = ShardOf(text);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.texts.find(text);
  return found == shard.texts.end() ? nullptr : &*found;
}

bool IsValidName(std::string_view text) {
  if (text.empty() || text.size() > kNameLengthMax) return false;
  for (const char c : text) {
    if (!IsNameCharacter(c)) return false;
  }
  return true;
}

}  // namespace berth
