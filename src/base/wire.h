// A binary codec for stored records in the protobuf wire format, so `protoc --decode_raw` reads
// them. Our own because one field list a record then serves, without a second, generated set of
// classes.
//
//   WireWriter writer(bytes);                          WireReader reader(bytes);
//   writer.PutText(1, type.name);                      while (reader.Next()) {
//   writer.PutInt(2, type.cpu);                          switch (reader.field()) {
//   writer.PutMessage(3, [&](WireWriter& inner) {          case 1: type.name = reader.Text();
//   break;
//     inner.PutUint(1, type.count);                        case 2: type.cpu = reader.Int(); break;
//   });                                                  }   // Other fields are passed over.
//                                                      }
//                                                      return reader.status();
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "berth/check.h"
#include "berth/status.h"

namespace berth {

// Appends fields. Zero and empty values are left out, as a reader assumes them; a message is
// written even when empty, so that lists of messages keep their length and absent differs from
// empty.
class WireWriter {
 public:
  explicit WireWriter(std::string& out) : out_(out) {}

  void PutUint(std::uint32_t field, std::uint64_t value);
  void PutInt(std::uint32_t field, std::int64_t value);     // Zigzag: small when near zero.
  void PutFixed(std::uint32_t field, std::uint64_t value);  // Eight bytes: for hashes.
  void PutText(std::uint32_t field, std::string_view value);

  template <std::invocable<WireWriter&> Fill>
  void PutMessage(std::uint32_t field, Fill fill) {
    const std::size_t begin = BeginMessage(field);
    fill(*this);
    EndMessage(begin);
  }

 private:
  std::size_t BeginMessage(std::uint32_t field);
  void EndMessage(std::size_t begin);

  std::string& out_;
};

// Walks over fields, never past the end. Malformed bytes, or a value asked for as what it is not,
// end the walk with an error in status(); the value asked for is then zero.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  // Moves to the next field; false after the last and after an error.
  bool Next();
  std::uint32_t field() const { return field_; }
  const Status& status() const { return status_; }

  // The value of this field. A number that its type cannot hold is an error.
  template <std::unsigned_integral T = std::uint64_t>
  T Uint() {
    return static_cast<T>(UintUpTo(std::numeric_limits<T>::max()));
  }
  std::int64_t Int();
  std::uint64_t Fixed();
  std::string_view Text();  // A part of the bytes given.
  // Its fields. Errors in them are its own: ask its status().
  WireReader Message() { return WireReader(Text()); }

  // Ends the walk: for values that are well-formed but make no sense.
  void Fail(std::string_view what);

 private:
  enum class Kind : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

  bool Expect(Kind kind);
  bool ReadValue();
  bool ReadVarint(std::uint64_t& value);
  bool ReadLittleEndian(std::size_t size);
  std::uint64_t UintUpTo(std::uint64_t max);

  std::string_view rest_;
  std::size_t size_;
  Status status_;
  std::uint32_t field_ = 0;
  Kind kind_ = Kind::kVarint;
  std::uint64_t number_ = 0;  // The value, if it is a number
  std::string_view bytes_;    // or if it is not.
};

}  // namespace berth
