#include "forecast/seasons.h"

#include <fmt/format.h>

#include "base/text.h"
#include "forecast/season_detection.h"
#include "forecast/season_use.h"
#include "forecast/series_forecaster.h"

namespace berth {

namespace {

// A day and a week of points, as far as a point divides them.
std::vector<std::size_t> CalendarSeasons(Duration step) {
  std::vector<std::size_t> seasons;
  for (const Duration season :
       {Duration(std::chrono::hours(24)), Duration(std::chrono::hours(168))}) {
    const auto points = static_cast<std::size_t>(season / step);
    if (season % step == Duration::zero() && points >= 2) seasons.push_back(points);
  }
  return seasons;
}

}  // namespace

std::vector<std::size_t> UsualSeasons(Duration step) {
  std::vector<std::size_t> seasons = CalendarSeasons(step);
  std::erase_if(seasons, [](std::size_t points) { return points > kSeasonMax; });
  return seasons;
}

std::string LeftOutOfUsual(Duration step) {
  std::vector<std::size_t> seasons = CalendarSeasons(step);
  std::erase_if(seasons, [](std::size_t points) { return points <= kSeasonMax; });
  if (seasons.empty()) return "";
  return NoSeasonsOf(seasons, fmt::format("at most {} are taken", FormatCount(kSeasonMax)));
}

Result<std::vector<std::size_t>> SeasonsNamed(std::string_view text, const TimeSeries& series) {
  if (text.empty()) return UsualSeasons(series.step);
  if (text == "auto") {
    return DetectSeasons(WithoutGaps(series.values), UsualSeasons(series.step));
  }
  std::vector<std::size_t> seasons;
  if (text == "none") return seasons;
  for (const std::string_view part : Split(text, ',')) {
    const auto [season, error] = ParseInteger(part);
    if (error != std::errc() || season < 0) {
      return Status(Code::kInvalidArgument,
                    fmt::format("a season is auto, none or a list of points as 24,168, not {}",
                                Quoted(text)));
    }
    seasons.push_back(static_cast<std::size_t>(season));
  }
  BERTH_RETURN_IF_ERROR(CheckSeasons(seasons));
  return seasons;
}

}  // namespace berth
