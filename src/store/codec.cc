#include "store/codec.h"

#include <utility>
#include <vector>

#include "base/wire.h"
#include "store/record_fields.h"

namespace berth {
namespace {

// Its alternatives are fields 1, 2, ... in the order of the variant: as a protobuf oneof.
constexpr std::uint32_t FieldOf(std::size_t alternative) {
  return static_cast<std::uint32_t>(alternative) + 1;
}

template <typename T>
concept IsEnum = std::is_enum_v<T>;

class Encoder {
 public:
  explicit Encoder(WireWriter& out) : out_(out) {}

  template <typename T>
  void operator()(std::uint32_t field, const T& value) {
    Put(field, value);
  }

  static void PutRecord(WireWriter& out, const Record& record) {
    Encoder encoder(out);
    std::visit([&](const auto& value) { encoder.Put(FieldOf(record.index()), value); }, record);
  }

 private:
  void Put(std::uint32_t field, const std::unsigned_integral auto& value) {
    out_.PutUint(field, value);
  }
  void Put(std::uint32_t field, const IsEnum auto& value) {
    out_.PutUint(field, static_cast<std::uint64_t>(value));
  }
  void Put(std::uint32_t field, const std::int64_t& value) { out_.PutInt(field, value); }
  void Put(std::uint32_t field, const Duration& value) { out_.PutInt(field, value.count()); }
  void Put(std::uint32_t field, const Time& value) { out_.PutInt(field, ToMicros(value)); }
  void Put(std::uint32_t field, const std::string& value) { out_.PutText(field, value); }
  template <typename Tag>
  void Put(std::uint32_t field, const Name<Tag>& value) {
    out_.PutText(field, value.str());
  }
  template <typename T>
  void Put(std::uint32_t field, const std::optional<T>& value) {
    if (value) Put(field, *value);
  }
  template <typename T>
  void Put(std::uint32_t field, const std::vector<T>& values) {
    for (const T& value : values) PutElement(field, value);
  }
  void Put(std::uint32_t field, const Record& record) {
    out_.PutMessage(field, [&](WireWriter& inner) { PutRecord(inner, record); });
  }
  template <typename T>
  void Put(std::uint32_t field, const T& message) {
    out_.PutMessage(field, [&](WireWriter& inner) {
      Encoder encoder(inner);
      Fields(encoder, message);
    });
  }

  template <typename T>
  void PutElement(std::uint32_t field, const T& value) {
    Put(field, value);
  }
  // A list keeps its length: an empty name is written too.
  template <typename Tag>
  void PutElement(std::uint32_t field, const Name<Tag>& value) {
    if (!value.empty()) return Put(field, value);
    out_.PutMessage(field, [](WireWriter&) {});
  }

  WireWriter& out_;
};

// Members start as what an encoder leaves out: zero, whatever their defaults are in memory.
struct Clear {
  void operator()(std::uint32_t, auto& value) { value = {}; }
};

template <typename T>
Status DecodeFields(WireReader& in, T& message);
Status DecodeOneOf(WireReader& in, Record& record);

// Takes the field that the reader stands at, if it is the one offered.
class Decoder {
 public:
  explicit Decoder(WireReader& in) : in_(in) {}

  template <typename T>
  void operator()(std::uint32_t field, T& value) {
    if (field == in_.field()) Take(value);
  }
  // The first error in a message within this field.
  const Status& status() const { return status_; }

 private:
  void Take(bool& value) { value = in_.Uint<std::uint8_t>() != 0; }
  void Take(std::uint32_t& value) { value = in_.Uint<std::uint32_t>(); }
  void Take(std::uint64_t& value) { value = in_.Uint(); }
  void Take(std::int64_t& value) { value = in_.Int(); }
  void Take(Duration& value) { value = Duration(in_.Int()); }
  void Take(Time& value) { value = TimeFromMicros(in_.Int()); }
  void Take(Revision& value) { value = Revision{in_.Uint()}; }
  void Take(std::string& value) { value = in_.Text(); }
  template <typename Tag>
  void Take(Name<Tag>& value) {
    value = Name<Tag>(in_.Text());
  }
  template <IsEnum T>
  void Take(T& value) {
    const std::uint64_t number = in_.Uint();
    if (number > static_cast<std::uint64_t>(LastOf(T{}))) {
      in_.Fail("a word that this berth does not know");
    } else {
      value = static_cast<T>(number);
    }
  }
  template <typename T>
  void Take(std::optional<T>& value) {
    Take(value.emplace());
  }
  template <typename T>
  void Take(std::vector<T>& values) {
    Take(values.emplace_back());
  }
  void Take(Record& record) {
    WireReader inner = in_.Message();
    if (in_.status().ok()) status_ = DecodeOneOf(inner, record);
  }
  template <typename T>
  void Take(T& message) {
    WireReader inner = in_.Message();
    if (in_.status().ok()) status_ = DecodeFields(inner, message);
  }

  WireReader& in_;
  Status status_;
};

template <typename T>
Status DecodeFields(WireReader& in, T& message) {
  Clear clear;
  Fields(clear, message);
  while (in.Next()) {
    Decoder decoder(in);
    Fields(decoder, message);
    BERTH_RETURN_IF_ERROR(decoder.status());
  }
  return in.status();
}

template <std::size_t alternative = 0>
Status DecodeAlternative(WireReader& in, Record& record) {
  if constexpr (alternative == std::variant_size_v<Record>) {
    return {Code::kInvalidArgument, "malformed record: of a kind that this berth does not know"};
  } else {
    if (in.field() != FieldOf(alternative)) return DecodeAlternative<alternative + 1>(in, record);
    WireReader inner = in.Message();
    BERTH_RETURN_IF_ERROR(in.status());
    return DecodeFields(inner, record.emplace<alternative>());
  }
}

Status DecodeOneOf(WireReader& in, Record& record) {
  bool found = false;
  while (in.Next()) {
    BERTH_RETURN_IF_ERROR(DecodeAlternative(in, record));
    found = true;
  }
  BERTH_RETURN_IF_ERROR(in.status());
  if (!found) return {Code::kInvalidArgument, "malformed record: it is empty"};
  return {};
}

template <typename T>
std::string EncodeFields(const T& message) {
  std::string bytes;
  WireWriter out(bytes);
  Encoder encoder(out);
  Fields(encoder, message);
  return bytes;
}

template <typename T>
Result<T> DecodeWhole(std::string_view bytes) {
  T message;
  WireReader in(bytes);
  BERTH_RETURN_IF_ERROR(DecodeFields(in, message));
  return message;
}

}  // namespace

std::string Encode(const Record& record) {
  std::string bytes;
  WireWriter out(bytes);
  Encoder::PutRecord(out, record);
  return bytes;
}

Result<Record> DecodeRecord(std::string_view bytes) {
  Record record;
  WireReader in(bytes);
  BERTH_RETURN_IF_ERROR(DecodeOneOf(in, record));
  return record;
}

std::string Encode(const StoredRecord& stored) { return EncodeFields(stored); }

Result<StoredRecord> DecodeStoredRecord(std::string_view bytes) {
  return DecodeWhole<StoredRecord>(bytes);
}

std::string Encode(const Committed& committed) { return EncodeFields(committed); }

Result<Committed> DecodeCommitted(std::string_view bytes) {
  BERTH_TRY(Committed committed, DecodeWhole<Committed>(bytes));
  for (Update& update : committed.updates) {
    if (update.record) {
      update.key = KeyOf(*update.record);
    } else if (update.key == RecordKey()) {
      return Status(Code::kInvalidArgument, "malformed log entry: an update of nothing");
    }
    update.revision = committed.revision;
  }
  return committed;
}

std::string Encode(const StoredHead& head) { return EncodeFields(head); }
Result<StoredHead> DecodeHead(std::string_view bytes) { return DecodeWhole<StoredHead>(bytes); }

std::string EncodeNumber(std::uint64_t number) { return EncodeFields(StoredNumber{number}); }
Result<std::uint64_t> DecodeNumber(std::string_view bytes) {
  BERTH_TRY(const StoredNumber number, DecodeWhole<StoredNumber>(bytes));
  return number.value;
}

std::string EncodeFormat(std::uint64_t version) { return EncodeNumber(version); }
Result<std::uint64_t> DecodeFormat(std::string_view bytes) { return DecodeNumber(bytes); }

}  // namespace berth
