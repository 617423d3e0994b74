#include "report/write.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "report/html.h"
#include "report/json.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

Status CannotWrite(const fs::path& path, const std::string& why) {
  return {Code::kUnavailable, fmt::format("cannot write {}: {}", path.string(), why)};
}

// The name beside `path` under which this process writes it.
fs::path TemporaryFor(fs::path path) { return path += fmt::format(".{}.tmp", getpid()); }

Status WriteFile(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return {};
  return CannotWrite(path, "is the folder writable, and the disk not full?");
}

Status Replace(const fs::path& path, std::string_view bytes) {
  const fs::path temporary = TemporaryFor(path);
  Status status = WriteFile(temporary, bytes);
  std::error_code error;
  if (status.ok()) {
    fs::rename(temporary, path, error);
    if (error) status = CannotWrite(path, error.message());
  }
  if (!status.ok()) fs::remove(temporary, error);
  return status;
}

}  // namespace

Status WriteReport(const std::string& path, std::span<const Report> runs) {
  for (const Report& run : runs) BERTH_RETURN_IF_ERROR(Validate(run));

  fs::path base = path;
  const bool is_file = base.extension() == ".json" || base.extension() == ".html";
  if (!is_file) base /= "report.json";
  std::error_code error;
  if (base.has_parent_path()) fs::create_directories(base.parent_path(), error);
  if (error) return CannotWrite(base.parent_path(), error.message());

  BERTH_RETURN_IF_ERROR(Replace(base.replace_extension(".json"), ToJson(runs)));
  return Replace(base.replace_extension(".html"), ToHtml(runs));
}

}  // namespace berth
