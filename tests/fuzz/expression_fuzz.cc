// Expressions over metrics: whatever is written, it is refused with a column or worked out to a
// finite number or a reason, the same each time.
#include <cmath>
#include <string>

#include "berth/check.h"
#include "fuzz/target.h"
#include "scale/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;  // NOLINT(google-build-using-namespace): one function.
  const std::string text(data, data + size);
  const Result<Expression> parsed = Expression::Parse(text);
  if (!parsed.ok()) {
    BERTH_CHECK(parsed.status().message().starts_with("column ") ||
                text.size() > Expression::kLengthMax);
    return 0;
  }
  for (const double value : {0.0, 1.0, -3.5, 1e100}) {
    const auto same = [&](std::string_view) { return value; };
    const Result<double> worked = parsed.value().Evaluate(same);
    if (worked.ok()) {
      BERTH_CHECK(std::isfinite(worked.value()));
      BERTH_CHECK(parsed.value().Evaluate(same).value() == worked.value());
    } else {
      BERTH_CHECK(!worked.status().message().empty());
    }
  }
  return 0;
}
