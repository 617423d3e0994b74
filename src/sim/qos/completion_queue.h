// When each running request will be done: a heap that also forgets, so that it is never longer than
// there are requests alive however often they are preempted. Each entry has four below it: the
// heap is half as deep as with two, and those four lie side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "berth/time.h"
#include "qos/request_table.h"

namespace berth {

class CompletionQueue {
 public:
  void Put(RequestIndex request, Time at) {
    if (place_of_.size() <= ToNumber(request)) place_of_.resize(ToNumber(request) + 1);
    heap_.emplace_back();
    Rise(heap_.size() - 1, {at, ToNumber(request)});
  }
  // One that is in it.
  void Remove(RequestIndex request) { RemoveAt(place_of_[ToNumber(request)]); }
  bool empty() const { return heap_.empty(); }
  Time NextAt() const { return heap_.front().at; }
  // The next; of those at one time the one with the smallest number.
  RequestIndex Pop() {
    const RequestIndex request{heap_.front().request};
    RemoveAt(0);
    return request;
  }

 private:
  static constexpr std::size_t kBelow = 4;
  struct Entry {
    Time at;
    std::uint32_t request = 0;

    friend bool operator<(const Entry& a, const Entry& b) {
      return a.at != b.at ? a.at < b.at : a.request < b.request;
    }
  };

  void RemoveAt(std::size_t place) {
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place == heap_.size()) return;
    if (place > 0 && last < heap_[(place - 1) / kBelow]) {
      Rise(place, last);
    } else {
      Sink(place, last);
    }
  }
  void Set(std::size_t place, const Entry& entry) {
    heap_[place] = entry;
    place_of_[entry.request] = place;
  }
  void Rise(std::size_t place, const Entry& entry) {
    while (place > 0) {
      const std::size_t above = (place - 1) / kBelow;
      if (!(entry < heap_[above])) break;
      Set(place, heap_[above]);
      place = above;
    }
    Set(place, entry);
  }
  void Sink(std::size_t place, const Entry& entry) {
    for (;;) {
      const std::size_t first = place * kBelow + 1;
      if (first >= heap_.size()) break;
      const auto begin = heap_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto count = std::min(kBelow, heap_.size() - first);
      const auto least = std::min_element(begin, begin + static_cast<std::ptrdiff_t>(count));
      if (!(*least < entry)) break;
      Set(place, *least);
      place = static_cast<std::size_t>(least - heap_.begin());
    }
    Set(place, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::size_t> place_of_;  // By request.
};

}  // namespace berth
