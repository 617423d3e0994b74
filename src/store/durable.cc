#include "store/durable.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace berth {

std::filesystem::path TemporaryFor(const std::filesystem::path& path) {
  return path.string() + fmt::format(".{}.tmp", getpid());
}

Status SyncPath(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && fsync(file) == 0;
  const std::error_code error(errno, std::generic_category());
  if (file >= 0) close(file);
  if (synced) return {};
  return {Code::kUnavailable, fmt::format("cannot sync {}: {}", path.string(), error.message())};
}

Status PutInPlace(const std::filesystem::path& made, const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::rename(made, path, error);
  if (error) {
    return {Code::kUnavailable, fmt::format("cannot make {}: {}", path.string(), error.message())};
  }
  const std::filesystem::path parent = path.parent_path();
  return SyncPath(parent.empty() ? "." : parent);
}

}  // namespace berth
