// The validator's part about one service: whether it is whole, and where its instances may be.
#pragma once

#include <optional>
#include <string>

#include "fleet/draft.h"

namespace berth {

std::optional<Violation> CheckService(const Draft& draft, const std::string& name,
                                      const DraftService& service);

}  // namespace berth
