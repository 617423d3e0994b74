#include "store/memory_store.h"
#include "store/stores/builtin.h"

namespace berth {
namespace {

class ForgottenContents final : public StoreContents {
 public:
  Status Read(const Take& /*take*/) const override { return Nothing(); }
  Status Fill(const Next& /*next*/) const override { return Nothing(); }

 private:
  static Status Nothing() {
    return {Code::kInvalidArgument, "a memory store keeps nothing; name a store with a place"};
  }
};

}  // namespace

Result<std::unique_ptr<Store>> OpenMemoryStore(std::string_view /*where*/,
                                               const StoreOptions& options) {
  return std::unique_ptr<Store>(std::make_unique<MemoryStore>(options.retention));
}

Result<std::unique_ptr<Observations>> MemoryObservations(std::string_view /*where*/) {
  return NewMemoryObservations();
}

std::unique_ptr<StoreContents> MemoryContents(std::string_view /*where*/) {
  return std::make_unique<ForgottenContents>();
}

}  // namespace berth
