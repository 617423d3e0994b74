// Finding an entry of a plug-in table by its name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"

namespace berth {

// "there is no filter 'x'; the filters are a, b".
Status NoneNamed(std::string_view kind, std::string_view name,
                 const std::vector<std::string_view>& known);

// The message names those there are.
template <typename Entry>
Result<const Entry*> FindNamed(std::span<const Entry> entries, std::string_view name,
                               std::string_view kind) {
  std::vector<std::string_view> known;
  known.reserve(entries.size());
  for (const Entry& entry : entries) {
    if (entry.name == name) return &entry;
    known.push_back(entry.name);
  }
  return NoneNamed(kind, name, known);
}

}  // namespace berth
