// Name<Tag>: the typed name of a thing, interned so that a copy costs a pointer and equality is one
// comparison.
//
// Names of machines, types, tenants and the like recur in every record; interning keeps half a
// million instances small. Interned text is never freed, so only administrators' names are Names;
// what any client may coin without bound (service names, idempotency keys) is a plain string.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace berth {

// The one copy of `text`. Thread-safe; reading an interned string takes no lock.
const std::string* Intern(std::string_view text);
// The same, null if nobody interned it before.
const std::string* FindInterned(std::string_view text);

// 1 to 128 letters, digits, '.', '_' and '-'. What users call things; '/' and ':' are ours.
bool IsValidName(std::string_view text);

template <typename Tag>
class Name {
 public:
  Name() : text_(Intern({})) {}
  explicit Name(std::string_view text) : text_(Intern(text)) {}
  // For a name that a stranger gives: none if nothing was ever called so, and nothing is kept.
  static std::optional<Name> Known(std::string_view text) {
    const std::string* found = FindInterned(text);
    return found == nullptr ? std::nullopt : std::optional(Name(found));
  }

  const std::string& str() const { return *text_; }
  bool empty() const { return text_->empty(); }

  friend bool operator==(Name a, Name b) { return a.text_ == b.text_; }
  // By text, so that order never depends on where a string happens to lie in memory.
  friend std::strong_ordering operator<=>(Name a, Name b) {
    return a.text_ == b.text_ ? std::strong_ordering::equal : a.str().compare(b.str()) <=> 0;
  }
  std::size_t Hash() const { return std::hash<const void*>{}(text_); }

 private:
  explicit Name(const std::string* interned) : text_(interned) {}

  const std::string* text_;
};

using TenantId = Name<struct TenantTag>;
using TypeId = Name<struct TypeTag>;
using RoleId = Name<struct RoleTag>;
using ClassId = Name<struct ClassTag>;
using MachineId = Name<struct MachineTag>;
using SkuId = Name<struct SkuTag>;
using ClusterId = Name<struct ClusterTag>;
using DatacenterId = Name<struct DatacenterTag>;
using RowId = Name<struct RowTag>;
using RackId = Name<struct RackTag>;
using DomainId = Name<struct DomainTag>;
using LabelName = Name<struct LabelTag>;

}  // namespace berth

template <typename Tag>
struct std::hash<berth::Name<Tag>> {
  std::size_t operator()(berth::Name<Tag> name) const { return name.Hash(); }
};
