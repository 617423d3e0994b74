// Days in a policy: "2026-11-20", which begins at midnight UTC.
#pragma once

#include <string_view>

#include "base/fields.h"
#include "berth/time.h"

namespace berth {

Result<Time> ParseDate(std::string_view text);
// Takes over what is written; the rest stays.
void ReadDate(Fields& fields, std::string_view key, Time& date);

}  // namespace berth
