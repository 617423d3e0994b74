#include "scale/space/learned_file.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "base/checked_bytes.h"
#include "base/text.h"
#include "base/wire.h"

namespace berth {
namespace {

constexpr std::string_view kLearnedMagic = "BERTHLS\n";

}  // namespace

std::string EncodeLearned(std::string_view learned) {
  std::string bytes(kLearnedMagic);
  WireWriter writer(bytes);
  writer.PutUint(1, kLearnedFileVersion);
  writer.PutText(2, learned);
  return WithChecksum(std::move(bytes));
}

Status WriteLearned(std::string_view learned, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string bytes = EncodeLearned(learned);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return {};
  return {Code::kUnavailable,
          fmt::format("{} cannot be written; name a file in a folder that there is", Quoted(path))};
}

Status RestoreFromLearned(std::string_view bytes, std::string_view file_name,
                          Autoscaler& autoscaler) {
  const auto wrong = [&](std::string_view what) {
    return Status(Code::kInvalidArgument, fmt::format("{}: {}", file_name, what));
  };
  if (!bytes.starts_with(kLearnedMagic)) {
    return wrong("is no file of what was learned; make one with berth train --out");
  }
  const auto content = WithoutChecksum(bytes);
  if (!content || content->size() < kLearnedMagic.size()) {
    return wrong("is damaged or cut short: its checksum is another; train again");
  }
  std::uint32_t version = 0;
  std::string_view learned;
  WireReader reader(content->substr(kLearnedMagic.size()));
  while (reader.Next()) {
    if (reader.field() == 1) version = reader.Uint<std::uint32_t>();
    if (reader.field() == 2) learned = reader.Text();
  }
  if (!reader.status().ok()) return wrong(reader.status().message());
  if (version != kLearnedFileVersion) {
    return wrong(fmt::format("is of version {}, and this program reads {}; train again", version,
                             kLearnedFileVersion));
  }
  const Status restored = autoscaler.RestoreLearned(learned);
  return restored.ok() ? restored : wrong(restored.message());
}

}  // namespace berth
