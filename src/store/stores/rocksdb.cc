#include <string>
#include <utility>

#include "store/rocksdb_store.h"
#include "store/stores/builtin.h"

namespace berth {

Result<std::unique_ptr<Store>> OpenRocksDbStore(std::string_view where,
                                                const StoreOptions& options) {
  RocksDbOptions rocksdb;
  rocksdb.directory = std::string(where);
  rocksdb.retention = options.retention;
  BERTH_TRY(std::unique_ptr<RocksDbStore> store, RocksDbStore::Open(rocksdb));
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace berth
