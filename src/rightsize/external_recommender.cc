#include "rightsize/external_recommender.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/fields.h"
#include "base/wire.h"
#include "rightsize/external_talk.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

constexpr std::size_t kExternalTextMax = 4096;

std::string_view NameOfKind(const Sized& sized) {
  if (sized.resource == Resource::kMemory) {
    return sized.oom == OomTolerance::kMinimal ? "minimal"
           : sized.oom == OomTolerance::kLow   ? "low"
                                               : "intermediate";
  }
  return sized.cpu == CpuKind::kBatch     ? "batch"
         : sized.cpu == CpuKind::kServing ? "serving"
                                          : "latency_sensitive";
}

std::int64_t Millis(Time at) { return ToMicros(at) / 1000; }

class ExternalRecommender final : public Recommender {
 public:
  ExternalRecommender(std::shared_ptr<ExternalProgram> program, const Sized& sized)
      : resource_(sized.resource), talk_(std::move(program), SizeStart(sized)) {}

  void Observe(const UsageWindow& window) override { Tell(WindowLine(window)); }
  void ObserveOom(std::int64_t used, Time at) override { Tell(OomLine(used, at)); }

  std::optional<SizeAdvice> Recommend() const override { return said_.advice; }
  std::string Why() const override { return said_.WhySo(resource_); }

  std::string Save() const override { return said_.Save(); }
  Status Restore(std::string_view bytes) override {
    BERTH_TRY(said_, ExternalSize::Read(bytes));
    talk_.BeginAnew();
    return {};
  }

 private:
  void Tell(std::string_view what) {
    talk_.Tell(what, said_.state, [this](const Node& answer) { return said_.Take(answer); });
  }

  Resource resource_;
  ExternalTalk talk_;
  ExternalSize said_;
};

}  // namespace

Status ExternalSize::Take(const Node& answer) {
  Fields fields(answer);
  fields.Required("id");
  if (!answer.Find("target")) return fields.Finish();
  const Range<double> amount{.min = 0, .max = static_cast<double>(kAmountMax)};
  const double target = fields.Number("target", amount);
  const double lower = fields.Number("lower", amount, target);
  const double upper = fields.Number("upper", amount, target);
  std::string new_why = fields.Text("why", "");
  std::string new_state = fields.Text("state", "");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (lower > target || target > upper) {
    return answer.Error("lower, target and upper are not in this order");
  }
  if (new_why.size() > kExternalTextMax || new_state.size() > kExternalTextMax) {
    return answer.Error(fmt::format("why and state have at most {} bytes", kExternalTextMax));
  }
  const auto whole = [](double value) { return static_cast<std::int64_t>(std::ceil(value)); };
  advice = {.target = whole(target), .lower = whole(lower), .upper = whole(upper)};
  why = std::move(new_why);
  state = std::move(new_state);
  return {};
}

std::string ExternalSize::WhySo(Resource resource) const {
  if (!advice) return {};
  return fmt::format("{}: {}", FormatSize(resource, advice->target),
                     why.empty() ? "as a program of its owner says" : why);
}

// The program's state is its own, as far as it tells us one.
std::string ExternalSize::Save() const {
  std::string bytes;
  if (!advice) return bytes;
  WireWriter writer(bytes);
  writer.PutInt(1, advice->target);
  writer.PutInt(2, advice->lower);
  writer.PutInt(3, advice->upper);
  writer.PutText(4, why);
  writer.PutText(5, state);
  return bytes;
}

Result<ExternalSize> ExternalSize::Read(std::string_view bytes) {
  SizeAdvice advice;
  ExternalSize read;
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) advice.target = reader.Int();
    if (reader.field() == 2) advice.lower = reader.Int();
    if (reader.field() == 3) advice.upper = reader.Int();
    if (reader.field() == 4) read.why = reader.Text();
    if (reader.field() == 5) read.state = reader.Text();
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (advice.lower < 0 || advice.target < advice.lower || advice.upper < advice.target) {
    return Status(Code::kInvalidArgument, "this is no state of an external recommender");
  }
  if (!bytes.empty()) read.advice = advice;
  return read;
}

std::string SizeStart(const Sized& sized) {
  return fmt::format(
      "\"sets\":\"limit\",\"service\":{},\"resource\":\"{}\",\"kind\":\"{}\",\"request\":{}",
      JsonText(sized.service), sized.resource == Resource::kCpu ? "cpu" : "memory",
      NameOfKind(sized), sized.request);
}

std::string WindowLine(const UsageWindow& window) {
  return fmt::format("\"window\":{{\"end_ms\":{},\"samples\":[{}]}}", Millis(window.end),
                     fmt::join(window.samples, ","));
}

std::string OomLine(std::int64_t used, Time at) {
  return fmt::format("\"oom\":{{\"at_ms\":{},\"used\":{}}}", Millis(at), used);
}

std::unique_ptr<Recommender> NewExternalRecommender(std::shared_ptr<ExternalProgram> program,
                                                    const Sized& sized) {
  return std::make_unique<ExternalRecommender>(std::move(program), sized);
}

}  // namespace berth
