#include "usage/gathered_usage.h"

#include <algorithm>
#include <utility>

#include "base/packed.h"
#include "base/wire.h"

namespace berth {
namespace {

// Once there are enough the first gives way to what is higher, so the highest of all stays.
void KeepSample(std::vector<float>& samples, float value) {
  if (samples.size() < GatheredUsage::kSamplesKept) return samples.push_back(value);
  samples.front() = std::max(samples.front(), value);
}

}  // namespace

bool GatheredUsage::Add(std::uint32_t instance, Time at, double value) {
  const auto [last, is_first] = last_.try_emplace(instance, at);
  if (!is_first && at <= last->second) return false;
  last->second = at;
  Open& open = open_[WindowOf(at)];
  const auto amount = static_cast<float>(value);
  const auto [peak, is_new] = open.peaks.try_emplace(instance, amount);
  if (!is_new) peak->second = std::max(peak->second, amount);
  if (resource_ == Resource::kCpu) {
    open.histogram.Add(Buckets::Of(resource_).Find(amount));
    KeepSample(open.samples, amount);
  }
  return true;
}

std::vector<GatheredUsage::Closed> GatheredUsage::Close(Time upto) {
  std::vector<Closed> closed;
  while (!open_.empty() && open_.begin()->first < upto) {
    Open& open = open_.begin()->second;
    if (resource_ != Resource::kCpu) {
      for (const auto& [instance, peak] : open.peaks) {
        open.histogram.Add(Buckets::Of(resource_).Find(peak));
        KeepSample(open.samples, peak);
      }
    }
    closed.push_back({.end = open_.begin()->first + kWindowLength,
                      .samples = std::move(open.samples),
                      .histogram = std::move(open.histogram),
                      .instances = static_cast<std::uint32_t>(open.peaks.size())});
    open_.erase(open_.begin());
  }
  return closed;
}

std::string GatheredUsage::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  for (const auto& [begin, open] : open_) {
    writer.PutMessage(1, [&, at = begin, window = &open](WireWriter& inner) {
      inner.PutInt(1, ToMicros(at));
      inner.PutText(2, Packed<float>(window->samples));
      for (const WindowHistogram::Count& count : window->histogram.counts()) {
        inner.PutMessage(3, [&](WireWriter& one) {
          one.PutUint(1, count.bucket);
          one.PutUint(2, count.samples);
        });
      }
      for (const auto& [instance, peak] : window->peaks) {
        inner.PutMessage(4, [&, number = instance, amount = peak](WireWriter& one) {
          one.PutUint(1, number);
          one.PutFixed(2, BitsOf(amount));
        });
      }
    });
  }
  for (const auto& [instance, at] : last_) {
    writer.PutMessage(2, [number = instance, last = at](WireWriter& inner) {
      inner.PutUint(1, number);
      inner.PutInt(2, ToMicros(last));
    });
  }
  return bytes;
}

Status GatheredUsage::Restore(std::string_view bytes) {
  GatheredUsage read(resource_);
  const auto read_count = [](WireReader reader, WindowHistogram& histogram) -> Status {
    std::uint32_t bucket = 0;
    std::uint32_t samples = 0;
    while (reader.Next()) {
      if (reader.field() == 1) bucket = reader.Uint<std::uint32_t>();
      if (reader.field() == 2) samples = reader.Uint<std::uint32_t>();
    }
    if (bucket >= Buckets::kCount) return {Code::kInvalidArgument, "there is no such bucket"};
    histogram.Add(static_cast<UsageBucket>(bucket), samples);
    return reader.status();
  };
  const auto read_peak = [](WireReader reader, std::map<std::uint32_t, float>& peaks) -> Status {
    std::uint32_t instance = 0;
    double peak = 0;
    while (reader.Next()) {
      if (reader.field() == 1) instance = reader.Uint<std::uint32_t>();
      if (reader.field() == 2) peak = FromBits(reader.Fixed());
    }
    if (!(peak >= 0)) return {Code::kInvalidArgument, "a peak is no amount"};
    peaks.emplace(instance, static_cast<float>(peak));
    return reader.status();
  };
  const auto read_open = [&](WireReader reader) -> Status {
    Time begin;
    Open open;
    while (reader.Next()) {
      if (reader.field() == 1) begin = TimeFromMicros(reader.Int());
      if (reader.field() == 2) open.samples = Unpacked<float>(reader.Text());
      if (reader.field() == 3) BERTH_RETURN_IF_ERROR(read_count(reader.Message(), open.histogram));
      if (reader.field() == 4) BERTH_RETURN_IF_ERROR(read_peak(reader.Message(), open.peaks));
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (!IsReckonable(begin) || open.peaks.empty() || open.samples.size() > kSamplesKept ||
        std::ranges::any_of(open.samples, [](float sample) { return !(sample >= 0); })) {
      return {Code::kInvalidArgument, "a window's samples are none"};
    }
    read.open_.emplace(begin, std::move(open));
    return {};
  };
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) BERTH_RETURN_IF_ERROR(read_open(reader.Message()));
    if (reader.field() != 2) continue;
    std::uint32_t instance = 0;
    Time at;
    WireReader last = reader.Message();
    while (last.Next()) {
      if (last.field() == 1) instance = last.Uint<std::uint32_t>();
      if (last.field() == 2) at = TimeFromMicros(last.Int());
    }
    BERTH_RETURN_IF_ERROR(last.status());
    if (!IsReckonable(at)) return {Code::kInvalidArgument, "a sample is of no time"};
    read.last_.emplace(instance, at);
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  open_ = std::move(read.open_);
  last_ = std::move(read.last_);
  return {};
}

}  // namespace berth
