#include "base/wire.h"

#include <fmt/format.h>

namespace berth {
namespace {

constexpr std::uint32_t kFieldMax = (1U << 29) - 1;
constexpr int kVarintBytesMax = 10;

void AppendVarint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

void AppendTag(std::string& out, std::uint32_t field, std::uint32_t kind) {
  BERTH_CHECK(field >= 1 && field <= kFieldMax);
  AppendVarint(out, std::uint64_t{field} << 3 | kind);
}

}  // namespace

void WireWriter::PutUint(std::uint32_t field, std::uint64_t value) {
  if (value == 0) return;
  AppendTag(out_, field, 0);
  AppendVarint(out_, value);
}

void WireWriter::PutInt(std::uint32_t field, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  PutUint(field, value < 0 ? ~(bits << 1) : bits << 1);
}

void WireWriter::PutFixed(std::uint32_t field, std::uint64_t value) {
  if (value == 0) return;
  AppendTag(out_, field, 1);
  for (int i = 0; i < 8; ++i) {
    out_ += static_cast<char>(value & 0xff);
    value >>= 8;
  }
}

void WireWriter::PutText(std::uint32_t field, std::string_view value) {
  if (value.empty()) return;
  AppendTag(out_, field, 2);
  AppendVarint(out_, value.size());
  out_ += value;
}

std::size_t WireWriter::BeginMessage(std::uint32_t field) {
  AppendTag(out_, field, 2);
  return out_.size();
}

// The length goes before what it counts, so it is inserted once that is known.
void WireWriter::EndMessage(std::size_t begin) {
  std::string length;
  AppendVarint(length, out_.size() - begin);
  out_.insert(begin, length);
}

bool WireReader::Next() {
  if (!status_.ok() || rest_.empty()) return false;
  std::uint64_t tag = 0;
  if (!ReadVarint(tag)) return false;
  if (tag >> 3 == 0 || tag >> 3 > kFieldMax) {
    Fail("a field number is out of range");
    return false;
  }
  field_ = static_cast<std::uint32_t>(tag >> 3);
  kind_ = static_cast<Kind>(tag & 7);
  return ReadValue();
}

bool WireReader::ReadValue() {
  switch (kind_) {
    case Kind::kVarint:
      return ReadVarint(number_);
    case Kind::kFixed64:
      return ReadLittleEndian(8);
    case Kind::kFixed32:
      return ReadLittleEndian(4);
    case Kind::kBytes: {
      std::uint64_t size = 0;
      if (!ReadVarint(size)) return false;
      if (size > rest_.size()) {
        Fail("a length goes past the end");
        return false;
      }
      bytes_ = rest_.substr(0, size);
      rest_.remove_prefix(size);
      return true;
    }
  }
  Fail("a field has an unknown wire type");
  return false;
}

bool WireReader::ReadVarint(std::uint64_t& value) {
  value = 0;
  for (int i = 0; i < kVarintBytesMax; ++i) {
    if (rest_.empty()) {
      Fail("a number goes past the end");
      return false;
    }
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    if (i == kVarintBytesMax - 1 && byte > 1) break;  // The tenth holds the last bit of 64.
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << (7 * i);
    if (byte < 0x80) return true;
  }
  Fail("a number is over 64 bits");
  return false;
}

bool WireReader::ReadLittleEndian(std::size_t size) {
  if (rest_.size() < size) {
    Fail("a number goes past the end");
    return false;
  }
  number_ = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number_ |= std::uint64_t{static_cast<std::uint8_t>(rest_[i])} << (8 * i);
  }
  rest_.remove_prefix(size);
  return true;
}

bool WireReader::Expect(Kind kind) {
  if (!status_.ok()) return false;
  if (kind_ == kind) return true;
  Fail("the field has another wire type");
  return false;
}

std::uint64_t WireReader::UintUpTo(std::uint64_t max) {
  if (!Expect(Kind::kVarint)) return 0;
  if (number_ <= max) return number_;
  Fail(fmt::format("{} is over {}", number_, max));
  return 0;
}

std::int64_t WireReader::Int() {
  if (!Expect(Kind::kVarint)) return 0;
  const std::uint64_t half = number_ >> 1;
  return static_cast<std::int64_t>((number_ & 1) != 0 ? ~half : half);
}

std::uint64_t WireReader::Fixed() { return Expect(Kind::kFixed64) ? number_ : 0; }

std::string_view WireReader::Text() { return Expect(Kind::kBytes) ? bytes_ : std::string_view(); }

void WireReader::Fail(std::string_view what) {
  if (!status_.ok()) return;
  status_ = Status(Code::kInvalidArgument,
                   fmt::format("malformed record: field {}, before byte {}: {}; restore it from a "
                               "backup",
                               field_, size_ - rest_.size(), what));
}

}  // namespace berth
