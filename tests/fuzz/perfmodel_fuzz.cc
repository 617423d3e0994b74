// Whatever bytes a file of performance models holds, it is read or refused by an error that names
// the file; what is read predicts, and is written and read back the same. Inputs are the content
// without its checksum, which would refuse all but a few.
#include <string>
#include <vector>

#include "base/checked_bytes.h"
#include "berth/check.h"
#include "fuzz/target.h"
#include "perfmodel/model_set.h"

namespace {

using berth::PerformanceModelSet;
using berth::Result;

constexpr std::string_view kFile = "fuzz.models";

void CheckReadsBack(const PerformanceModelSet& models) {
  const std::string bytes = berth::EncodeModels(models);
  const Result<PerformanceModelSet> again = berth::DecodeModels(bytes, kFile);
  BERTH_CHECK(again.ok());
  BERTH_CHECK(berth::EncodeModels(again.value()) == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string content(data, data + size);
  for (const std::string& bytes : {content, berth::WithChecksum(content)}) {
    const Result<PerformanceModelSet> models = berth::DecodeModels(bytes, kFile);
    if (!models.ok()) {
      BERTH_CHECK(models.status().message().starts_with(kFile));
      continue;
    }
    std::vector<double> row(models.value().columns.size(), 1);
    models.value().PredictInto(row);
    CheckReadsBack(models.value());
  }
  return 0;
}
