// The models that estimates draw from, and those that they will draw from later.
#pragma once

#include <memory>
#include <utility>

#include "berth/time.h"
#include "oversub/trace_library.h"

namespace berth {

class DemandInUse {
 public:
  // Null: there are none.
  explicit DemandInUse(std::shared_ptr<const TraceLibrary> library)
      : library_(library != nullptr
                     ? std::move(library)
                     : std::make_shared<const TraceLibrary>(TraceLibrary::Build({}).value())) {}

  // From then on; of several that wait, the last counts, from when the first was to.
  void UseFrom(Time from, std::shared_ptr<const TraceLibrary> library) {
    if (next_ == nullptr) from_ = from;
    next_ = std::move(library);
  }
  // Time never goes back.
  const std::shared_ptr<const TraceLibrary>& At(Time now) {
    if (next_ != nullptr && now >= from_) library_ = std::exchange(next_, nullptr);
    return library_;
  }
  // As of the last time that was asked about.
  const std::shared_ptr<const TraceLibrary>& library() const { return library_; }

 private:
  std::shared_ptr<const TraceLibrary> library_;
  std::shared_ptr<const TraceLibrary> next_;  // Null: it is the same.
  Time from_;
};

}  // namespace berth
