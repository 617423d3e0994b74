#include "usage/window.h"

#include <algorithm>
#include <bit>

#include "base/wire.h"

namespace berth {

Time WindowOf(Time at) {
  const Duration since = at.time_since_epoch();
  Duration into = since % kWindowLength;
  if (into < Duration::zero()) into += kWindowLength;
  return at - into;
}

bool Window::Add(Time at, double value) {
  if (count > 0 && at <= last) return false;
  min = count == 0 ? value : std::min(min, value);
  max = count == 0 ? value : std::max(max, value);
  sum += value;
  if (count == 0) first = at;
  last = at;
  ++count;
  return true;
}

std::string Encode(const Window& window) {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutInt(1, window.begin.time_since_epoch().count());
  writer.PutInt(2, (window.last - window.begin).count());
  writer.PutUint(3, window.count);
  writer.PutFixed(4, std::bit_cast<std::uint64_t>(window.sum));
  writer.PutFixed(5, std::bit_cast<std::uint64_t>(window.min));
  writer.PutFixed(6, std::bit_cast<std::uint64_t>(window.max));
  writer.PutInt(7, (window.first - window.begin).count());
  return bytes;
}

Result<Window> DecodeWindow(std::string_view bytes) {
  Window window;
  Duration to_first{};  // Of windows from before it was kept: as early as can be.
  Duration to_last{};
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        window.begin = Time(Duration(reader.Int()));
        break;
      case 2:
        to_last = Duration(reader.Int());
        break;
      case 3:
        window.count = reader.Uint();
        break;
      case 4:
        window.sum = std::bit_cast<double>(reader.Fixed());
        break;
      case 5:
        window.min = std::bit_cast<double>(reader.Fixed());
        break;
      case 6:
        window.max = std::bit_cast<double>(reader.Fixed());
        break;
      case 7:
        to_first = Duration(reader.Int());
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (window.count == 0) return Status(Code::kInternal, "a window without samples");
  window.first = window.begin + to_first;
  window.last = window.begin + to_last;
  return window;
}

}  // namespace berth
