// The file that fitted models are kept in.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/checked_bytes.h"
#include "base/packed.h"
#include "base/text.h"
#include "base/wire.h"
#include "perfmodel/model_set.h"

namespace berth {
namespace {

constexpr std::string_view kModelMagic = "BERTHPM\n";

void PutGroup(WireWriter& writer, const FittedGroup& fitted) {
  writer.PutText(1, fitted.group.name);
  for (const std::size_t column : fitted.group.features) writer.PutUint(2, column + 1);
  for (const std::size_t column : fitted.group.targets) writer.PutUint(3, column + 1);
  writer.PutText(4, fitted.model->Save());
}

struct StoredGroup {
  ModelGroup group;
  std::string state;
};

Status ReadColumn(WireReader& reader, std::size_t columns, std::vector<std::size_t>& into) {
  const std::uint64_t column = reader.Uint();
  if (column < 1 || column > columns || into.size() == kModelColumnsMax) {
    return {Code::kInvalidArgument, "a group names a column that is not there"};
  }
  into.push_back(static_cast<std::size_t>(column - 1));
  return {};
}

Result<StoredGroup> ReadGroup(WireReader reader, std::size_t columns) {
  StoredGroup stored;
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        stored.group.name = reader.Text();
        break;
      case 2:
        BERTH_RETURN_IF_ERROR(ReadColumn(reader, columns, stored.group.features));
        break;
      case 3:
        BERTH_RETURN_IF_ERROR(ReadColumn(reader, columns, stored.group.targets));
        break;
      case 4:
        stored.state = reader.Text();
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  return stored;
}

struct StoredSet {
  PerformanceModelSet set;
  std::uint32_t version = 0;
  std::vector<StoredGroup> groups;
};

// Columns come before groups.
Result<StoredSet> ReadSet(std::string_view content) {
  StoredSet stored;
  PerformanceModelSet& set = stored.set;
  WireReader reader(content);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        stored.version = reader.Uint<std::uint32_t>();
        if (stored.version != kModelFileVersion) return stored;
        break;
      case 2:
        set.model_name = reader.Text();
        break;
      case 3:
        set.settings.degree = reader.Uint<std::uint32_t>();
        break;
      case 4:
        set.settings.penalty = std::bit_cast<double>(reader.Fixed());
        break;
      case 5:
        set.settings.seed = reader.Uint();
        break;
      case 6:
        if (set.columns.size() == kDataColumnsMax) reader.Fail("there are too many columns");
        set.columns.emplace_back(reader.Text());
        break;
      case 7: {
        double range[2] = {0, 0};
        if (!UnpackFinite(reader.Text(), range)) reader.Fail("a range is no two numbers");
        set.ranges.push_back({range[0], range[1]});
        break;
      }
      case 8: {
        BERTH_TRY(StoredGroup group, ReadGroup(reader.Message(), set.columns.size()));
        stored.groups.push_back(std::move(group));
        break;
      }
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (set.ranges.size() != set.columns.size() || stored.groups.empty()) {
    return Status(Code::kInvalidArgument, "columns and their ranges do not match");
  }
  return stored;
}

Status MakeGroups(StoredSet& stored) {
  PerformanceModelSet& set = stored.set;
  BERTH_TRY(const ModelEntry* entry, FindPerformanceModel(set.model_name));
  for (StoredGroup& group : stored.groups) {
    ModelSettings settings = set.settings;
    settings.features = group.group.features.size();
    settings.targets = group.group.targets.size();
    BERTH_RETURN_IF_ERROR(CheckSettings(settings));
    std::unique_ptr<PerformanceModel> model = entry->make(settings);
    BERTH_RETURN_IF_ERROR(model->Restore(group.state));
    set.groups.push_back({std::move(group.group), std::move(model)});
  }
  return {};
}

}  // namespace

std::string EncodeModels(const PerformanceModelSet& models) {
  std::string bytes(kModelMagic);
  WireWriter writer(bytes);
  writer.PutUint(1, kModelFileVersion);
  writer.PutText(2, models.model_name);
  writer.PutUint(3, models.settings.degree);
  writer.PutFixed(4, std::bit_cast<std::uint64_t>(models.settings.penalty));
  writer.PutUint(5, models.settings.seed);
  for (const std::string& name : models.columns) writer.PutText(6, name);
  for (const ColumnRange& range : models.ranges) {
    writer.PutText(7, Packed<double>(std::vector<double>{range.least, range.most}));
  }
  for (const FittedGroup& fitted : models.groups) {
    writer.PutMessage(8, [&](WireWriter& inner) { PutGroup(inner, fitted); });
  }
  return WithChecksum(std::move(bytes));
}

Result<PerformanceModelSet> DecodeModels(std::string_view bytes, std::string_view file_name) {
  const auto wrong = [&](std::string_view what) {
    return Status(Code::kInvalidArgument, fmt::format("{}: {}", file_name, what));
  };
  if (!bytes.starts_with(kModelMagic)) {
    return wrong("is no file of performance models; make one with berth model fit --out");
  }
  const auto content = WithoutChecksum(bytes);
  if (!content || content->size() < kModelMagic.size()) {
    return wrong("is damaged or cut short: its checksum is another; make it again");
  }
  Result<StoredSet> stored = ReadSet(content->substr(kModelMagic.size()));
  if (!stored.ok()) return wrong(stored.status().message());
  if (stored.value().version != kModelFileVersion) {
    return wrong(fmt::format("is of version {}, and this program reads {}; make it again",
                             stored.value().version, kModelFileVersion));
  }
  if (const Status made = MakeGroups(stored.value()); !made.ok()) return wrong(made.message());
  return std::move(stored.value().set);
}

Status WriteModels(const PerformanceModelSet& models, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string bytes = EncodeModels(models);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return {};
  return {Code::kUnavailable, fmt::format("{} cannot be written", path)};
}

Result<PerformanceModelSet> ReadModels(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return Status(Code::kNotFound, fmt::format("{}: {}", path, error.message()));
  if (size > kModelFileBytesMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} has {} bytes, {} are the most", path, size, kModelFileBytesMax));
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) return Status(Code::kUnavailable, fmt::format("{} cannot be read", path));
  return DecodeModels(bytes, path);
}

}  // namespace berth
