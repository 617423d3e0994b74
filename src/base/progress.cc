#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/text.h"

namespace berth {
namespace {

constexpr Duration kQuiet = std::chrono::seconds(2);
constexpr Duration kBetweenDraws = std::chrono::milliseconds(100);
constexpr std::string_view kWipe = "\r\x1b[K";

}  // namespace

std::string FormatProgress(std::string_view label, std::uint64_t done, std::uint64_t total,
                           Duration elapsed) {
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const std::string per_second = FormatCount(static_cast<std::int64_t>(rate)) + "/s";
  if (total == 0) {
    return fmt::format("{}  {}  {}", label, FormatCount(static_cast<std::int64_t>(done)),
                       per_second);
  }
  const std::uint64_t reached = std::min(done, total);  // Totals are estimates at times.
  const double share = static_cast<double>(reached) / static_cast<double>(total);
  std::string text = fmt::format("{} {:3}%  {}", label, static_cast<int>(100 * share), per_second);
  // A hundred years is as good as never, and more would not fit.
  const double left = rate > 0 ? static_cast<double>(total - reached) / rate : 0;
  if (left > 0 && left < std::chrono::duration<double>(kDurationMax).count()) {
    const auto whole = std::chrono::seconds(static_cast<std::int64_t>(left + 1));
    text += fmt::format("  {} left", FormatDuration(whole));
  }
  return text;
}

ProgressSink TerminalSink() {
  if (isatty(STDERR_FILENO) == 0) return nullptr;
  return [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  };
}

Progress::Progress(std::string label, std::uint64_t total, std::function<Time()> now,
                   ProgressSink sink)
    : label_(std::move(label)), total_(total), now_(std::move(now)), sink_(std::move(sink)) {
  if (!sink_) return;
  start_ = now_();
  next_draw_ = start_ + kQuiet;
}

Progress::~Progress() {
  if (drawn_) sink_(kWipe);
}

void Progress::Update(std::uint64_t done) {
  if (!sink_) return;
  const Time present = now_();
  if (present < next_draw_) return;
  next_draw_ = present + kBetweenDraws;
  drawn_ = true;
  sink_(fmt::format("{}{}", kWipe, FormatProgress(label_, done, total_, present - start_)));
}

}  // namespace berth
