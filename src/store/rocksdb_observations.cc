#include <fmt/format.h>
#include <rocksdb/utilities/db_ttl.h>

#include <filesystem>

#include "store/observations.h"

namespace berth {
namespace {

class ObservationsInRocksDb final : public Observations {
 public:
  ObservationsInRocksDb(std::string directory, std::unique_ptr<rocksdb::DBWithTTL> database)
      : directory_(std::move(directory)), database_(std::move(database)) {}

  Status Write(std::span<const Observation> entries) override {
    rocksdb::WriteBatch batch;
    for (const Observation& entry : entries) {
      if (const rocksdb::Status put = batch.Put(entry.key, entry.value); !put.ok()) {
        return Failed(put);
      }
    }
    const rocksdb::Status written = database_->Write({}, &batch);
    return written.ok() ? Status() : Failed(written);
  }

  Status Erase(std::span<const std::string> keys) override {
    rocksdb::WriteBatch batch;
    for (const std::string& key : keys) {
      if (const rocksdb::Status gone = batch.Delete(key); !gone.ok()) return Failed(gone);
    }
    const rocksdb::Status written = database_->Write({}, &batch);
    return written.ok() ? Status() : Failed(written);
  }

  Status Sync() override {
    const rocksdb::Status synced = database_->SyncWAL();
    return synced.ok() ? Status() : Failed(synced);
  }

  Result<std::optional<std::string>> Get(std::string_view key) const override {
    std::string value;
    const rocksdb::Status read = database_->Get({}, rocksdb::Slice(key.data(), key.size()), &value);
    if (read.IsNotFound()) return std::optional<std::string>();
    if (!read.ok()) return Failed(read);
    return std::optional(std::move(value));
  }

  Status Scan(std::string_view from, std::string_view to, const Visit& visit) const override {
    const rocksdb::Slice end(to.data(), to.size());
    rocksdb::ReadOptions options;
    options.iterate_upper_bound = &end;
    const std::unique_ptr<rocksdb::Iterator> at(database_->NewIterator(options));
    for (at->Seek(rocksdb::Slice(from.data(), from.size())); at->Valid(); at->Next()) {
      if (!visit(at->key().ToStringView(), at->value().ToStringView())) break;
    }
    return at->status().ok() ? Status() : Failed(at->status());
  }

 private:
  Status Failed(const rocksdb::Status& cause) const {
    return {cause.IsNoSpace() ? Code::kResourceExhausted : Code::kUnavailable,
            fmt::format("the observations in {} cannot be used: {}; check the disk", directory_,
                        cause.ToString())};
  }

  const std::string directory_;
  const std::unique_ptr<rocksdb::DBWithTTL> database_;
};

}  // namespace

Result<std::unique_ptr<Observations>> OpenRocksDbObservations(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    return Status(Code::kUnavailable,
                  fmt::format("cannot make the directory {} for observations: {}", directory,
                              error.message()));
  }
  rocksdb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = std::size_t{16} << 20;
  options.info_log_level = rocksdb::InfoLogLevel::ERROR_LEVEL;
  options.keep_log_file_num = 2;
  rocksdb::DBWithTTL* database = nullptr;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(kObservationsKept);
  const rocksdb::Status opened = rocksdb::DBWithTTL::Open(
      options, directory, &database, static_cast<std::int32_t>(seconds.count()));
  if (!opened.ok()) {
    return Status(Code::kUnavailable, fmt::format("cannot open the observations in {}: {}",
                                                  directory, opened.ToString()));
  }
  return std::unique_ptr<Observations>(std::make_unique<ObservationsInRocksDb>(
      directory, std::unique_ptr<rocksdb::DBWithTTL>(database)));
}

}  // namespace berth
