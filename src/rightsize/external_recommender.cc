#include "rightsize/external_recommender.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/fields.h"
#include "base/wire.h"
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
      : program_(std::move(program)), sized_(sized), id_(program_->NewId()) {}

  void Observe(const UsageWindow& window) override {
    Tell(fmt::format("{{\"id\":{},\"window\":{{\"end_ms\":{},\"samples\":[{}]}}}}", id_,
                     Millis(window.end), fmt::join(window.samples, ",")));
  }
  void ObserveOom(std::int64_t used, Time at) override {
    Tell(fmt::format("{{\"id\":{},\"oom\":{{\"at_ms\":{},\"used\":{}}}}}", id_, Millis(at), used));
  }

  std::optional<SizeAdvice> Recommend() const override { return advice_; }
  std::string Why() const override {
    if (!advice_) return {};
    return fmt::format("{}: {}", FormatSize(sized_.resource, advice_->target),
                       why_.empty() ? "as a program of its owner says" : why_);
  }

  // The program's state is its own, as far as it tells us one.
  std::string Save() const override {
    std::string bytes;
    if (!advice_) return bytes;
    WireWriter writer(bytes);
    writer.PutInt(1, advice_->target);
    writer.PutInt(2, advice_->lower);
    writer.PutInt(3, advice_->upper);
    writer.PutText(4, why_);
    writer.PutText(5, state_);
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    SizeAdvice advice;
    std::string why;
    std::string state;
    WireReader reader(bytes);
    while (reader.Next()) {
      if (reader.field() == 1) advice.target = reader.Int();
      if (reader.field() == 2) advice.lower = reader.Int();
      if (reader.field() == 3) advice.upper = reader.Int();
      if (reader.field() == 4) why = reader.Text();
      if (reader.field() == 5) state = reader.Text();
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (advice.lower < 0 || advice.target < advice.lower || advice.upper < advice.target) {
      return {Code::kInvalidArgument, "this is no state of an external recommender"};
    }
    advice_.reset();
    if (!bytes.empty()) advice_ = advice;
    why_ = std::move(why);
    state_ = std::move(state);
    told_ = 0;
    return {};
  }

 private:
  void Tell(std::string_view line) {
    if (!program_->IsRunning() || !IsIntroduced()) return;
    const Result<Document> answer = program_->Ask(id_, line);
    if (!answer.ok()) return;
    const Status status = Take(answer.value().root());
    if (!status.ok()) return program_->Refuse(status);
    program_->Accept();
  }

  // A process that never heard of this service is told of it first.
  bool IsIntroduced() {
    if (told_ == program_->session()) return true;
    const Result<Document> answer = program_->Ask(
        id_, fmt::format("{{\"id\":{},\"start\":{{\"sets\":\"limit\",\"service\":{},"
                         "\"resource\":\"{}\",\"kind\":\"{}\",\"request\":{},\"state\":{}}}}}",
                         id_, JsonText(sized_.service),
                         sized_.resource == Resource::kCpu ? "cpu" : "memory", NameOfKind(sized_),
                         sized_.request, JsonText(state_)));
    if (answer.ok()) told_ = program_->session();
    return answer.ok();
  }

  Status Take(const Node& answer) {
    Fields fields(answer);
    fields.Required("id");
    if (!answer.Find("target")) return fields.Finish();
    const Range<double> amount{.min = 0, .max = static_cast<double>(kAmountMax)};
    const double target = fields.Number("target", amount);
    const double lower = fields.Number("lower", amount, target);
    const double upper = fields.Number("upper", amount, target);
    std::string why = fields.Text("why", "");
    std::string state = fields.Text("state", "");
    BERTH_RETURN_IF_ERROR(fields.Finish());
    if (lower > target || target > upper) {
      return answer.Error("lower, target and upper are not in this order");
    }
    if (why.size() > kExternalTextMax || state.size() > kExternalTextMax) {
      return answer.Error(fmt::format("why and state have at most {} bytes", kExternalTextMax));
    }
    const auto whole = [](double value) { return static_cast<std::int64_t>(std::ceil(value)); };
    advice_ = {.target = whole(target), .lower = whole(lower), .upper = whole(upper)};
    why_ = std::move(why);
    state_ = std::move(state);
    return {};
  }

  std::shared_ptr<ExternalProgram> program_;
  Sized sized_;
  std::uint32_t id_;
  std::uint32_t told_ = 0;  // The session that knows of it.
  std::optional<SizeAdvice> advice_;
  std::string why_;
  std::string state_;
};

}  // namespace

std::unique_ptr<Recommender> NewExternalRecommender(std::shared_ptr<ExternalProgram> program,
                                                    const Sized& sized) {
  return std::make_unique<ExternalRecommender>(std::move(program), sized);
}

}  // namespace berth
