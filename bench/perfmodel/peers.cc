#include "bench/perfmodel/peers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "berth/check.h"
#include "perfmodel/generate_performance.h"

namespace berth {
namespace {

// Debian's own: another python3 that comes first in the path has not its packages.
constexpr std::string_view kPython = "/usr/bin/python3";

bool RunShell(const std::string& command) {
  return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
}

DataTable ReadAnswer(const std::filesystem::path& file) {
  Result<LineReader> lines = LineReader::Open(file.string());
  BERTH_CHECK(lines.ok());
  Result<DataTable> table = ReadDataTable(std::move(lines).value());
  BERTH_CHECK(table.ok());
  return std::move(table).value();
}

}  // namespace

std::map<std::string, SklearnAnswer> AskSklearn(std::string_view part, const DataTable& table) {
  if (!RunShell(fmt::format("{} -c 'import sklearn' > /dev/null 2>&1", kPython))) {
    fmt::print("scikit-learn is not here (Debian: python3-sklearn): no comparison\n");
    return {};
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("berth-bench-perfmodel-{}", getpid());
  std::filesystem::create_directories(folder);
  {
    std::ofstream out(folder / "data.csv");
    WriteDataTable(table, out);
  }
  const std::filesystem::path script =
      std::filesystem::path(BERTH_BINARY_DIR) / "../../bench/perfmodel/peers.py";
  std::map<std::string, SklearnAnswer> answers;
  if (RunShell(fmt::format("OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 {} '{}' {} '{}'", kPython,
                           script.lexically_normal().string(), part, folder.string()))) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (!entry.path().filename().string().starts_with("answer-")) continue;
      const DataTable read = ReadAnswer(entry.path());
      SklearnAnswer& answer = answers[entry.path().stem().string().substr(7)];
      answer.values = read.Pick(FirstNumbers(read.rows()), std::vector<std::size_t>{0});
      answer.cpu_s = answer.values.front();
      answer.values.erase(answer.values.begin());
    }
  } else {
    fmt::print("scikit-learn failed: no comparison\n");
  }
  std::filesystem::remove_all(folder);
  return answers;
}

}  // namespace berth
