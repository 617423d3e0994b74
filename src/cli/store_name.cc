#include "cli/store_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/command.h"
#include "store/open.h"

namespace berth {
namespace {

constexpr std::string_view kDirectoryStore = "rocksdb:";

}  // namespace

Result<std::string> StoreName(std::string_view given) {
  const std::size_t colon = given.find(':');
  const std::string_view word = given.substr(0, colon);
  const std::span<const StoreKind> kinds = StoreKinds();
  const auto kind = std::ranges::find(kinds, word, &StoreKind::name);
  if (kind != kinds.end() && !kind->TakesPlace()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--store {} keeps nothing after the command; leave --store out, or "
                              "name a directory",
                              given));
  }
  // What has a slash before the colon is a path. OpenStore refuses a name that is in no table.
  const bool path = word.find('/') != std::string_view::npos;
  const bool named = kind != kinds.end() || (colon != std::string_view::npos && !path);
  return named ? std::string(given) : fmt::format("{}{}", kDirectoryStore, given);
}

std::vector<std::string> KnownStores() {
  std::vector<std::string> known;
  for (const StoreKind& kind : StoreKinds()) {
    if (kind.TakesPlace()) known.push_back(fmt::format("{}:", kind.name));
  }
  return known;
}

}  // namespace berth
