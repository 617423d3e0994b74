#include "oversub/demand_library_file.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "berth/name.h"

namespace berth {
namespace {

constexpr std::string_view kMagic = "BERTHDM1";
constexpr std::size_t kModelBytes = 47;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::size_t kFileBytesMax = kLibraryModelsMax * kModelBytes + (std::size_t{1} << 24);

// FNV-1a.
std::uint64_t ChecksumOf(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

class ByteWriter {
 public:
  template <typename T>
  void Number(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes_.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff));
    }
  }
  void Text(std::string_view text) { bytes_ += text; }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

// After the first number that is not there all are 0, and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <typename T>
  T Number() {
    const std::string_view bytes = Text(sizeof(T));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return static_cast<T>(value);
  }
  std::string_view Text(std::size_t size) {
    if (size > left_.size()) {
      ok_ = false;
      left_ = {};
    }
    const std::string_view text = left_.substr(0, size);
    left_.remove_prefix(text.size());
    return text;
  }
  bool ok() const { return ok_; }
  std::size_t left() const { return left_.size(); }

 private:
  std::string_view left_;
  bool ok_ = true;
};

void Write(ByteWriter& writer, const GrowthModel& growth) {
  writer.Number(growth.initial);
  writer.Number(growth.maximum);
  writer.Number(growth.growth_steps);
  writer.Number(std::bit_cast<std::uint32_t>(growth.slope));
}

GrowthModel ReadGrowth(ByteReader& reader) {
  GrowthModel growth;
  growth.initial = reader.Number<std::uint32_t>();
  growth.maximum = reader.Number<std::uint32_t>();
  growth.growth_steps = reader.Number<std::int32_t>();
  growth.slope = std::bit_cast<float>(reader.Number<std::uint32_t>());
  return growth;
}

DemandModel ReadModel(ByteReader& reader) {
  DemandModel model;
  model.memory = ReadGrowth(reader);
  model.disk = ReadGrowth(reader);
  model.cpu_p90 = reader.Number<std::uint32_t>();
  model.cpu_peak = reader.Number<std::uint32_t>();
  model.lifetime = reader.Number<std::int32_t>();
  model.tenant_class = TenantClass{reader.Number<std::uint16_t>()};
  model.role = TenantRole{reader.Number<std::uint8_t>()};
  return model;
}

// Sums are exact only if slopes are whole numbers, and rise to the maximum in their time.
bool IsSound(const GrowthModel& growth) {
  const double slope = growth.slope;
  if (!std::isfinite(slope) || slope < 0 || slope != std::floor(slope)) return false;
  return slope <= ToLoad(kDemandMax) && ToLoad(growth.initial) + growth.growth_steps * slope >=
                                            (growth.growth_steps > 0 ? ToLoad(growth.maximum) : 0);
}

}  // namespace

std::string EncodeDemandLibrary(const TraceLibrary& library) {
  ByteWriter writer;
  writer.Text(kMagic);
  writer.Number(static_cast<std::uint32_t>(library.class_names().size()));
  writer.Number(static_cast<std::uint64_t>(library.size()));
  for (const std::string& name : library.class_names()) {
    writer.Number(static_cast<std::uint16_t>(name.size()));
    writer.Text(name);
  }
  for (std::uint32_t i = 0; i < library.size(); ++i) {
    const DemandModel& model = library.model(TraceIndex{i});
    Write(writer, model.memory);
    Write(writer, model.disk);
    writer.Number(model.cpu_p90);
    writer.Number(model.cpu_peak);
    writer.Number(model.lifetime);
    writer.Number(static_cast<std::uint16_t>(model.tenant_class));
    writer.Number(static_cast<std::uint8_t>(model.role));
  }
  writer.Number(ChecksumOf(writer.bytes()));
  return std::move(writer.bytes());
}

Result<TraceLibrary> DecodeDemandLibrary(std::string_view bytes, std::string_view file_name) {
  const auto wrong = [&](std::string_view what) {
    return Status(Code::kInvalidArgument, fmt::format("{}: {}", file_name, what));
  };
  if (!bytes.starts_with(kMagic)) {
    return wrong("is no file of demand models; make one with berth demand fit");
  }
  if (bytes.size() < kMagic.size() + kChecksumBytes) return wrong("is cut short; make it again");
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (ByteReader(bytes.substr(content.size())).Number<std::uint64_t>() != ChecksumOf(content)) {
    return wrong("is damaged or cut short: its checksum is another; make it again");
  }
  ByteReader reader(content.substr(kMagic.size()));
  const auto classes = reader.Number<std::uint32_t>();
  const auto count = reader.Number<std::uint64_t>();
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < classes && reader.ok(); ++i) {
    names.emplace_back(reader.Text(reader.Number<std::uint16_t>()));
    if (!IsValidName(names.back())) {
      return wrong(fmt::format("{} is no name of a class", Quoted(names.back())));
    }
  }
  if (!reader.ok() || count > kLibraryModelsMax || reader.left() != count * kModelBytes) {
    return wrong("holds other than its header says; make it again");
  }
  std::vector<DemandModel> models;
  models.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const DemandModel model = ReadModel(reader);
    const bool known = static_cast<std::size_t>(model.tenant_class) < names.size() &&
                       model.role <= TenantRole::kSecondary;
    if (!known || !IsSound(model.memory) || !IsSound(model.disk)) {
      return wrong(fmt::format("model {} is not sound; make it again", i));
    }
    models.push_back(model);
  }
  Result<TraceLibrary> library = TraceLibrary::Build(std::move(models), std::move(names));
  if (!library.ok()) return wrong(library.status().message());
  return library;
}

Status WriteDemandLibrary(const TraceLibrary& library, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string bytes = EncodeDemandLibrary(library);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return {};
  return {Code::kUnavailable, fmt::format("{} cannot be written", path)};
}

Result<TraceLibrary> ReadDemandLibrary(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return Status(Code::kNotFound, fmt::format("{}: {}", path, error.message()));
  if (size > kFileBytesMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} has {} bytes, {} are the most", path, size, kFileBytesMax));
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) return Status(Code::kUnavailable, fmt::format("{} cannot be read", path));
  return DecodeDemandLibrary(bytes, path);
}

}  // namespace berth
