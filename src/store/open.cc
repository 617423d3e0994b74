#include "store/open.h"

#include <fmt/format.h>

#include <string>

#include "store/stores/builtin.h"

namespace berth {
namespace {

constexpr StoreKind kStores[] = {
#define BERTH_STORE(file, factory, contents, observations, usage, about) \
  {#file, usage, about, &factory, &contents, &observations},
#include "store/stores/stores.def"
#undef BERTH_STORE
};

std::string Usages() {
  std::string all;
  for (const StoreKind& kind : kStores) {
    if (!all.empty()) all += ", ";
    all += kind.usage;
  }
  return all;
}

struct Named {
  const StoreKind* kind = nullptr;
  std::string_view place;  // After the colon.
};
Result<Named> FindKind(std::string_view where) {
  const std::size_t colon = where.find(':');
  const std::string_view name = where.substr(0, colon);
  const std::string_view place =
      colon == std::string_view::npos ? std::string_view() : where.substr(colon + 1);
  for (const StoreKind& kind : kStores) {
    if (kind.name != name) continue;
    if (kind.TakesPlace() == place.empty()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("store '{}' is written {}", where, kind.usage));
    }
    return Named{.kind = &kind, .place = place};
  }
  return Status(Code::kInvalidArgument,
                fmt::format("there is no store '{}'; there are {}", where, Usages()));
}

}  // namespace

std::span<const StoreKind> StoreKinds() { return kStores; }

Result<std::unique_ptr<Store>> OpenStore(std::string_view where, const StoreOptions& options) {
  BERTH_TRY(const Named named, FindKind(where));
  return named.kind->open(named.place, options);
}

Result<std::unique_ptr<Observations>> OpenObservations(std::string_view where) {
  BERTH_TRY(const Named named, FindKind(where));
  return named.kind->observations(named.place);
}

Result<std::unique_ptr<StoreContents>> ContentsOf(std::string_view where) {
  BERTH_TRY(const Named named, FindKind(where));
  return named.kind->contents(named.place);
}

}  // namespace berth
