#include "allocate/machine_load.h"

#include <fmt/format.h>

namespace berth {

bool IsSecondWord(Fields& options, std::string_view key, std::string_view first,
                  std::string_view second) {
  const auto node = options.Optional(key);
  if (!node) return false;
  const Result<std::string_view> text = node->Text();
  options.Check(text.status());
  if (!text.ok()) return false;
  if (text.value() != first && text.value() != second) {
    options.Check(node->Error(fmt::format("must be '{}' or '{}'", first, second)));
  }
  return text.value() == second;
}

}  // namespace berth
