// What Prometheus is told: the calls as they were answered, and the zone as it is when asked.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "berth/status.h"
#include "berth/time.h"
#include "serve/zone.h"

namespace berth {

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // From any thread.
  void NoteCall(const std::string& method, Code code, Duration took);
  // A decision in an arm of an experiment.
  void NoteArm(const std::string& arm, Duration took);
  void NoteWrongToken();
  // In Prometheus' text format. On the zone's deciding thread.
  std::string Render(Zone& zone, std::uint64_t in_flight);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// "ok", "not_found": a code as labels and logs spell it.
std::string_view CodeName(Code code);

}  // namespace berth
