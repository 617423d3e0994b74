// Fields: reads a map whose keys we know, as a list of fields.
//
//   Fields fields(node);
//   cluster.name = fields.Name<ClusterId>("name");                          // Required,
//   cluster.racks = fields.Integer<std::uint32_t>("racks", {.min = 1});
//   cluster.ratio = fields.Number("ratio", {.min = 1, .max = 4}, 1.0);      // optional, with
//   default. for (const Node& item : fields.OptionalItems("labels")) { ... }
//   BERTH_RETURN_IF_ERROR(fields.Finish());
//
// The first error is kept and told by Finish; after it, and for a missing field, the answer is an
// empty value. Keys must outlive the reader, as literals do.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/document.h"

namespace berth {

class Fields {
 public:
  explicit Fields(const Node& node);

  std::string Text(std::string_view key);
  std::string Text(std::string_view key, std::string_view otherwise);

  template <std::integral T = std::int64_t>
  T Integer(std::string_view key, Range<T> range = {}) {
    return Read(Required(key), T{}, [range](const Node& n) { return n.Integer<T>(range); });
  }
  template <std::integral T = std::int64_t>
  T Integer(std::string_view key, Range<T> range, std::type_identity_t<T> otherwise) {
    return Read(Optional(key), otherwise, [range](const Node& n) { return n.Integer<T>(range); });
  }

  double Number(std::string_view key, Range<double> range = {});
  double Number(std::string_view key, Range<double> range, double otherwise);
  bool Bool(std::string_view key);
  bool Bool(std::string_view key, bool otherwise);
  std::int64_t Amount(std::string_view key, Resource resource);
  std::int64_t Amount(std::string_view key, Resource resource, std::int64_t otherwise);
  Duration Length(std::string_view key);
  Duration Length(std::string_view key, Duration otherwise);

  // A valid name, as text or as one of the ids of berth/name.h.
  template <typename Id = std::string>
  Id Name(std::string_view key) {
    return NameFrom<Id>(Required(key), Id{});
  }
  template <typename Id = std::string>
  Id Name(std::string_view key, std::type_identity_t<Id> otherwise) {
    return NameFrom<Id>(Optional(key), std::move(otherwise));
  }

  std::vector<Node> Items(std::string_view key);
  std::vector<Node> OptionalItems(std::string_view key);
  std::vector<KeyedNode> Entries(std::string_view key);
  std::vector<KeyedNode> OptionalEntries(std::string_view key);

  // For everything else. A required field that is missing is none, and an error.
  std::optional<Node> Required(std::string_view key);
  std::optional<Node> Optional(std::string_view key);

  // Takes over what a reader of a part of this map found wrong.
  void Check(const Status& status) {
    if (!status.ok()) Keep(status);
  }
  // The first error: a wrong value, else a field that nobody asked for, else one that is missing.
  Status Finish();

 private:
  template <typename T, typename Get>
  T Read(const std::optional<Node>& node, T otherwise, Get get) {
    if (!node) return otherwise;
    Result<T> value = get(*node);
    if (value.ok()) return std::move(value).value();
    Keep(value.status());
    return T{};
  }
  template <typename Id>
  Id NameFrom(const std::optional<Node>& node, Id otherwise) {
    return Read(node, std::move(otherwise), [](const Node& n) -> Result<Id> {
      BERTH_TRY(const std::string_view name, n.Name());
      return Id(name);
    });
  }
  void Keep(const Status& error);
  Status CheckKnown() const;

  Node node_;
  Status wrong_;
  Status missing_;
  std::vector<std::string_view> known_;
};

}  // namespace berth
