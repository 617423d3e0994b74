// Where a test puts what it writes: a folder of its own, as tests run at the same time.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "berth/check.h"

namespace berth::testing {

// Removed at the end with all that is in it.
class TempFolder {
 public:
  // A parent is given where a real disk is wanted: the default may lie in memory.
  explicit TempFolder(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "berth-test-XXXXXX").string();
    BERTH_CHECK(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // The path of a file in it, which need not be there.
  std::string File(const std::string& name) const { return (path_ / name).string(); }
  // Writes the file, and returns its path.
  std::string Write(const std::string& name, std::string_view text) const {
    std::string path = File(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace berth::testing
