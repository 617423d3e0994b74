#include "store/memory_store.h"
#include "store/stores/builtin.h"

namespace berth {

Result<std::unique_ptr<Store>> OpenMemoryStore(std::string_view /*where*/,
                                               const StoreOptions& options) {
  return std::unique_ptr<Store>(std::make_unique<MemoryStore>(options.retention));
}

}  // namespace berth
