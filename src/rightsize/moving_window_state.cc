// Saving a moving window and going on with it.
#include <algorithm>

#include "base/packed.h"
#include "base/wire.h"
#include "rightsize/recommenders/window.h"

namespace berth {
namespace {

// False if it is of another size.
template <typename T, std::size_t N>
bool UnpackInto(std::string_view bytes, std::array<T, N>& values) {
  const std::vector<T> read = Unpacked<T>(bytes);
  if (read.size() != N) return false;
  std::ranges::copy(read, values.begin());
  return true;
}

}  // namespace

std::string MovingWindow::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutText(1, usage_.Save());
  writer.PutText(2, Packed<UsageBucket>(peaks_));
  writer.PutInt(3, hour_);
  writer.PutText(4, Packed<float>(recent_));
  writer.PutText(5, Packed<Time>(said_at_));
  writer.PutUint(6, said_);
  return bytes;
}

Status MovingWindow::Restore(std::string_view bytes) {
  MovingWindow read = *this;
  read.said_ = 0;  // What is 0 is left out of the bytes.
  read.hour_ = 0;
  Status histogram;
  bool sizes = true;
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        histogram = read.usage_.Restore(reader.Text());
        break;
      case 2:
        sizes = UnpackInto(reader.Text(), read.peaks_) && sizes;
        break;
      case 3:
        read.hour_ = reader.Int();
        break;
      case 4:
        sizes = UnpackInto(reader.Text(), read.recent_) && sizes;
        break;
      case 5:
        sizes = UnpackInto(reader.Text(), read.said_at_) && sizes;
        break;
      case 6:
        read.said_ = reader.Uint<std::uint32_t>();
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  BERTH_RETURN_IF_ERROR(histogram);
  const UsageBucket peak = *std::ranges::max_element(read.peaks_);
  const bool fits = sizes && peak <= Buckets::kCount && (read.said_ > 0) == (peak > 0) &&
                    (read.said_ > 0) != read.usage_.empty() && read.hour_ >= -1;
  if (!fits) return {Code::kInvalidArgument, "this is no state of a moving window"};
  *this = std::move(read);
  return {};
}

}  // namespace berth
