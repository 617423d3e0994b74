// Reading configuration files: YAML, of which JSON is a subset, with the position of everything
// read.
//
//   BERTH_TRY(const Document document, ReadDocument("fleet.yaml"));
//   BERTH_TRY(const Fleet fleet, ReadFleet(document.root()));   // With Fields, see fields.h.
//
// Every error reads FILE:LINE:COLUMN: FIELD.PATH: what is wrong; what to do. Aliases, anchors,
// tags, duplicate keys, several documents in a file and whatever exceeds the bounds below are
// refused.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/resources.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

inline constexpr std::size_t kDocumentBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kDocumentNodesMax = 8'000'000;
inline constexpr std::size_t kDocumentDepthMax = 64;

template <typename T>
struct Range {
  T min = std::numeric_limits<T>::lowest();
  T max = std::numeric_limits<T>::max();
};

struct DocumentTree;
struct KeyedNode;

// One value of a document and where it stands. Small; valid while its Document lives.
class Node {
 public:
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };

  Node(const DocumentTree& tree, std::uint32_t index) : tree_(&tree), index_(index) {}

  Kind kind() const;
  std::size_t line() const;    // From 1.
  std::size_t column() const;  // From 1.
  // "clusters[3].racks"; "top level" for the root.
  std::string Path() const;

  // Each answers the value, or an error that says what the file should have held.
  Result<std::string_view> Text() const;
  template <std::integral T = std::int64_t>
  Result<T> Integer(Range<T> range = {}) const {
    BERTH_TRY(const std::int64_t value, IntegerBetween(Clamp(range.min), Clamp(range.max)));
    return static_cast<T>(value);
  }
  Result<double> Number(Range<double> range = {}) const;
  Result<bool> Bool() const;
  Result<std::int64_t> Amount(Resource resource) const;
  Result<Duration> Length() const;                 // Of time: "90s", "12h".
  Result<std::string_view> Name() const;           // IsValidName.
  Result<std::vector<Node>> Items() const;         // Of a list.
  Result<std::vector<KeyedNode>> Entries() const;  // Of a map whose keys the author chose.
  // The map's value of this key, if this is a map and has it.
  std::optional<Node> Find(std::string_view key) const;

  // An error about this value, or about the key before it. `what` reads "is wrong; do this".
  Status Error(std::string_view what) const;
  Status KeyError(std::string_view what) const;

 private:
  template <std::integral T>
  static std::int64_t Clamp(T bound) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    return std::in_range<std::int64_t>(bound) ? static_cast<std::int64_t>(bound) : kMax;
  }
  Result<std::int64_t> IntegerBetween(std::int64_t min, std::int64_t max) const;
  Result<std::string_view> Plain(std::string_view wanted) const;

  const DocumentTree* tree_;
  std::uint32_t index_;
};

struct KeyedNode {
  std::string_view key;
  Node value;
};

class Document {
 public:
  explicit Document(std::unique_ptr<const DocumentTree> tree);
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  Node root() const { return Node(*tree_, 0); }

 private:
  std::unique_ptr<const DocumentTree> tree_;
};

// `file_name` is what errors call it.
Result<Document> ParseDocument(std::string_view text, std::string file_name);
Result<Document> ReadDocument(const std::string& path);
// The file as it is, for those that keep it; of the same size at most.
Result<std::string> ReadText(const std::string& path);

}  // namespace berth
