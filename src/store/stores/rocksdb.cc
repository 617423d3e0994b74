#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "store/database.h"
#include "store/durable.h"
#include "store/rocksdb_store.h"
#include "store/stores/builtin.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

// RocksDB keeps a file of this name in every database; opening would make one where none is.
Status CheckHoldsStore(const std::string& directory) {
  std::error_code ignored;
  if (fs::exists(fs::path(directory) / "CURRENT", ignored)) return {};
  return {Code::kNotFound,
          fmt::format("{} holds no store; name the directory of one", Quoted(directory))};
}

class Contents final : public StoreContents {
 public:
  explicit Contents(std::string directory) : directory_(std::move(directory)) {}

  Status Read(const Take& take) const override {
    BERTH_RETURN_IF_ERROR(CheckHoldsStore(directory_));
    BERTH_TRY(const std::unique_ptr<Database> database, OpenIn(directory_));
    return database->ReadContents(take);
  }

  Status Fill(const Next& next) const override {
    fs::path path = fs::path(directory_).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();  // It ended in a slash.
    BERTH_RETURN_IF_ERROR(CheckIsFree(path));
    const fs::path made = TemporaryFor(path);
    Status status = Make(made, next);
    if (status.ok()) status = PutInPlace(made, path);
    std::error_code ignored;
    if (!status.ok()) fs::remove_all(made, ignored);
    return status;
  }

 private:
  static Result<std::unique_ptr<Database>> OpenIn(const std::string& directory) {
    RocksDbOptions options;
    options.directory = directory;
    return Database::Open(options);
  }

  // An empty directory is as good as none.
  static Status CheckIsFree(const fs::path& path) {
    std::error_code error;
    const bool free =
        !fs::exists(path, error) || (fs::is_directory(path, error) && fs::is_empty(path, error));
    if (!free || error) {
      return {Code::kAlreadyExists,
              fmt::format("'{}' is not empty; name a new directory", path.string())};
    }
    const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
    if (fs::is_directory(parent, error)) return {};
    return {Code::kNotFound,
            fmt::format("'{}' is not a directory; make it first", parent.string())};
  }

  static Status Make(const fs::path& directory, const Next& next) {
    std::error_code ignored;
    fs::remove_all(directory, ignored);  // Of a process that had our number and was killed.
    BERTH_TRY(const std::unique_ptr<Database> database, OpenIn(directory.string()));
    BERTH_RETURN_IF_ERROR(database->Fill(next));
    return database->Load().status();  // What could not be opened again is of no use.
  }

  const std::string directory_;
};

}  // namespace

Result<std::unique_ptr<Store>> OpenRocksDbStore(std::string_view where,
                                                const StoreOptions& options) {
  RocksDbOptions rocksdb;
  rocksdb.directory = std::string(where);
  rocksdb.retention = options.retention;
  if (options.must_exist) BERTH_RETURN_IF_ERROR(CheckHoldsStore(rocksdb.directory));
  BERTH_TRY(std::unique_ptr<RocksDbStore> store, RocksDbStore::Open(rocksdb));
  return std::unique_ptr<Store>(std::move(store));
}

Result<std::unique_ptr<Observations>> RocksDbObservations(std::string_view where) {
  return OpenRocksDbObservations((fs::path(where) / "observations").string());
}

std::unique_ptr<StoreContents> RocksDbContents(std::string_view where) {
  return std::make_unique<Contents>(std::string(where));
}

}  // namespace berth
