#include "store/faulty_files.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace berth {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

IOStatus PowerIsLost() { return IOStatus::IOError("the power is lost"); }

std::string FolderOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

std::string ReadWhole(const std::string& path) {
  std::string contents;
  rocksdb::ReadFileToString(rocksdb::FileSystem::Default().get(), path, &contents)
      .PermitUncheckedError();
  return contents;
}

void WriteWhole(const std::string& path, const std::string& contents) {
  rocksdb::WriteStringToFile(rocksdb::FileSystem::Default().get(), contents, path)
      .PermitUncheckedError();
}

}  // namespace

// What is written, what of it is safe, and which fault comes next. One lock: files are few and the
// order of changes is what is tested.
class FaultyFiles::State {
 public:
  struct Length {
    std::uint64_t written = 0;
    std::uint64_t synced = 0;
  };
  // A name that its folder does not durably hold yet.
  struct Created {
    std::string path;
  };
  struct Renamed {
    std::string from;
    std::string to;
    std::optional<std::string> replaced;  // What `to` held before.
  };
  using Entry = std::variant<Created, Renamed>;

  // Counts one change; false when the power fails before it.
  bool Change();
  void LosePower();

  std::mutex mutex;
  std::map<std::string, Length> lengths;
  std::map<std::string, std::vector<Entry>> entries;  // By folder, in order.
  bool power_lost = false;
  bool fail_syncs = false;
  bool pretend_syncs = false;
  Duration sync_delay{};
  std::uint32_t keep_permille = 0;
  std::optional<std::uint64_t> changes_left;
  std::optional<std::uint64_t> bytes_left;
  std::uint64_t syncs = 0;
  std::uint64_t changes = 0;
};

bool FaultyFiles::State::Change() {
  if (power_lost) return false;
  if (changes_left) {
    if (*changes_left == 0) {
      LosePower();
      return false;
    }
    --*changes_left;
  }
  ++changes;
  return true;
}

void FaultyFiles::State::LosePower() {
  if (power_lost) return;
  power_lost = true;
  std::error_code ignored;  // A file that is gone already has nothing left to lose.
  for (const auto& [path, length] : lengths) {
    const std::uint64_t kept =
        length.synced + (length.written - length.synced) * keep_permille / 1000;
    if (kept == length.written) continue;
    // As a new file: closing the old one would stretch it to its former length again.
    const std::string remains = path + ".remains";
    std::filesystem::copy_file(path, remains, ignored);
    std::filesystem::resize_file(remains, kept, ignored);
    std::filesystem::rename(remains, path, ignored);
  }
  for (auto& [folder, list] : entries) {
    for (auto entry = list.rbegin(); entry != list.rend(); ++entry) {
      if (const auto* created = std::get_if<Created>(&*entry)) {
        std::filesystem::remove(created->path, ignored);
        continue;
      }
      const auto& renamed = std::get<Renamed>(*entry);
      std::filesystem::rename(renamed.to, renamed.from, ignored);
      if (renamed.replaced) WriteWhole(renamed.to, *renamed.replaced);
    }
  }
}

namespace {

class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyFile(std::shared_ptr<FaultyFiles::State> state, std::string path,
             std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)),
        state_(std::move(state)),
        path_(std::move(path)) {}

  using FSWritableFileOwnerWrapper::Append;
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    const std::lock_guard lock(state_->mutex);
    if (!state_->Change()) return PowerIsLost();
    std::size_t fits = data.size();
    if (state_->bytes_left) {
      fits = std::min<std::uint64_t>(fits, *state_->bytes_left);
      *state_->bytes_left -= fits;
    }
    IOStatus written =
        FSWritableFileOwnerWrapper::Append(rocksdb::Slice(data.data(), fits), options, dbg);
    if (!written.ok()) return written;
    state_->lengths[path_].written += fits;
    return fits == data.size() ? IOStatus::OK() : IOStatus::NoSpace("the disk is full");
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*verification*/,
                  IODebugContext* dbg) override {
    return Append(data, options, dbg);
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* dbg) override {
    const std::lock_guard lock(state_->mutex);
    if (!state_->Change()) return PowerIsLost();
    auto& length = state_->lengths[path_];
    length.written = size;
    length.synced = std::min(length.synced, size);
    return FSWritableFileOwnerWrapper::Truncate(size, options, dbg);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return AnySync([&] { return FSWritableFileOwnerWrapper::Sync(options, dbg); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return AnySync([&] { return FSWritableFileOwnerWrapper::Fsync(options, dbg); });
  }
  // Without promise of durability, so there is nothing to note.
  IOStatus RangeSync(std::uint64_t offset, std::uint64_t bytes, const IOOptions& options,
                     IODebugContext* dbg) override {
    return FSWritableFileOwnerWrapper::RangeSync(offset, bytes, options, dbg);
  }

 private:
  template <typename DoSync>
  IOStatus AnySync(const DoSync& sync) {
    std::uint64_t written = 0;
    Duration delay{};
    bool pretend = false;
    {
      const std::lock_guard lock(state_->mutex);
      if (!state_->Change()) return PowerIsLost();
      if (state_->fail_syncs) return IOStatus::IOError("the disk does not sync");
      ++state_->syncs;
      written = state_->lengths[path_].written;
      delay = state_->sync_delay;
      pretend = state_->pretend_syncs;
    }
    // Stands for a slower disk: the thread that syncs waits, as it would for the device.
    if (delay > Duration()) std::this_thread::sleep_for(delay);
    IOStatus synced = pretend ? IOStatus::OK() : sync();
    const std::lock_guard lock(state_->mutex);
    if (state_->power_lost) return PowerIsLost();  // It failed before this sync returned.
    auto& length = state_->lengths[path_];
    if (synced.ok()) length.synced = std::max(length.synced, std::min(written, length.written));
    return synced;
  }

  const std::shared_ptr<FaultyFiles::State> state_;
  const std::string path_;
};

class FaultyFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  FaultyFolder(std::shared_ptr<FaultyFiles::State> state, std::string path,
               std::unique_ptr<rocksdb::FSDirectory> folder)
      : FSDirectoryWrapper(std::move(folder)), state_(std::move(state)), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return AnySync([&] { return FSDirectoryWrapper::Fsync(options, dbg); });
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* dbg,
                               const rocksdb::DirFsyncOptions& how) override {
    return AnySync([&] { return FSDirectoryWrapper::FsyncWithDirOptions(options, dbg, how); });
  }

 private:
  template <typename DoSync>
  IOStatus AnySync(const DoSync& sync) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->Change()) return PowerIsLost();
    if (state_->fail_syncs) return IOStatus::IOError("the disk does not sync");
    IOStatus synced = state_->pretend_syncs ? IOStatus::OK() : sync();
    if (synced.ok()) state_->entries.erase(path_);
    return synced;
  }

  const std::shared_ptr<FaultyFiles::State> state_;
  const std::string path_;
};

class FaultyFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultyFileSystem(std::shared_ptr<FaultyFiles::State> state)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), state_(std::move(state)) {}

  const char* Name() const override { return "BerthFaultyFiles"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* dbg) override {
    const std::lock_guard lock(state_->mutex);
    if (!state_->Change()) return PowerIsLost();
    const bool existed = std::filesystem::exists(path);
    IOStatus created = FileSystemWrapper::NewWritableFile(path, options, result, dbg);
    if (!created.ok()) return created;
    if (!existed) state_->entries[FolderOf(path)].push_back(FaultyFiles::State::Created{path});
    state_->lengths[path] = {};
    *result = std::make_unique<FaultyFile>(state_, path, std::move(*result));
    return created;
  }

  // Kinds of writing that the store's database does not use; untracked bytes would pass as safe.
  IOStatus ReopenWritableFile(const std::string& /*path*/, const rocksdb::FileOptions& /*options*/,
                              std::unique_ptr<rocksdb::FSWritableFile>* /*result*/,
                              IODebugContext* /*dbg*/) override {
    return IOStatus::NotSupported("reopening a file for writing");
  }
  IOStatus ReuseWritableFile(const std::string& /*path*/, const std::string& /*old_path*/,
                             const rocksdb::FileOptions& /*options*/,
                             std::unique_ptr<rocksdb::FSWritableFile>* /*result*/,
                             IODebugContext* /*dbg*/) override {
    return IOStatus::NotSupported("reusing a file");
  }
  IOStatus NewRandomRWFile(const std::string& /*path*/, const rocksdb::FileOptions& /*options*/,
                           std::unique_ptr<rocksdb::FSRandomRWFile>* /*result*/,
                           IODebugContext* /*dbg*/) override {
    return IOStatus::NotSupported("writing at random");
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result,
                        IODebugContext* dbg) override {
    IOStatus opened = FileSystemWrapper::NewDirectory(path, options, result, dbg);
    if (!opened.ok()) return opened;
    std::string folder = FolderOf(path.ends_with('/') ? path : path + '/');
    *result = std::make_unique<FaultyFolder>(state_, std::move(folder), std::move(*result));
    return opened;
  }

  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* dbg) override {
    const std::lock_guard lock(state_->mutex);
    if (!state_->Change()) return PowerIsLost();
    std::optional<std::string> replaced;
    if (std::filesystem::exists(to)) replaced = ReadWhole(to);
    IOStatus renamed = FileSystemWrapper::RenameFile(from, to, options, dbg);
    if (!renamed.ok()) return renamed;
    state_->entries[FolderOf(to)].push_back(
        FaultyFiles::State::Renamed{from, to, std::move(replaced)});
    if (auto length = state_->lengths.extract(from)) {
      state_->lengths.erase(to);
      length.key() = to;
      state_->lengths.insert(std::move(length));
    }
    return renamed;
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override {
    const std::lock_guard lock(state_->mutex);
    if (state_->power_lost) return PowerIsLost();
    state_->lengths.erase(path);
    return FileSystemWrapper::DeleteFile(path, options, dbg);
  }

 private:
  const std::shared_ptr<FaultyFiles::State> state_;
};

}  // namespace

FaultyFiles::FaultyFiles()
    : state_(std::make_shared<State>()), files_(std::make_shared<FaultyFileSystem>(state_)) {}

FaultyFiles::~FaultyFiles() = default;

std::shared_ptr<rocksdb::FileSystem> FaultyFiles::files() const { return files_; }

void FaultyFiles::DelaySyncs(Duration delay) {
  const std::lock_guard lock(state_->mutex);
  state_->sync_delay = delay;
}

void FaultyFiles::FailSyncs() {
  const std::lock_guard lock(state_->mutex);
  state_->fail_syncs = true;
}

void FaultyFiles::PretendSyncs() {
  const std::lock_guard lock(state_->mutex);
  state_->pretend_syncs = true;
}

void FaultyFiles::FillDiskAfter(std::uint64_t bytes) {
  const std::lock_guard lock(state_->mutex);
  state_->bytes_left = bytes;
}

void FaultyFiles::LosePowerAfter(std::uint64_t changes) {
  const std::lock_guard lock(state_->mutex);
  state_->changes_left = changes;
}

void FaultyFiles::KeepUnsyncedPermille(std::uint32_t permille) {
  const std::lock_guard lock(state_->mutex);
  state_->keep_permille = permille;
}

void FaultyFiles::LosePowerNow() {
  const std::lock_guard lock(state_->mutex);
  state_->LosePower();
}

bool FaultyFiles::power_lost() const {
  const std::lock_guard lock(state_->mutex);
  return state_->power_lost;
}

std::uint64_t FaultyFiles::syncs() const {
  const std::lock_guard lock(state_->mutex);
  return state_->syncs;
}

std::uint64_t FaultyFiles::changes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->changes;
}

}  // namespace berth
