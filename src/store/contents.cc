#include "store/contents.h"

#include <fmt/format.h>

namespace berth {

Status LogLacks(Revision revision) {
  return {Code::kInvalidArgument, fmt::format("its log lacks revision {}", ToNumber(revision))};
}

}  // namespace berth
