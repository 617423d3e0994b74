#include "rightsize/external_talk.h"

#include <fmt/format.h>

namespace berth {

ExternalTalk::~ExternalTalk() {
  if (id_ != 0) program_->GiveBack(id_);
}

ExternalTalk::Outcome ExternalTalk::Tell(std::string_view what, std::string_view state,
                                         const std::function<Status(const Node&)>& take) {
  if (id_ == 0) id_ = program_->NewId();
  // A greeting that fails is a failure, too; what follows it is left out.
  const std::uint32_t failures = program_->failures();
  if (!program_->IsRunning()) {
    return program_->failures() > failures ? Outcome::kFailed : Outcome::kLeftOut;
  }
  if (!IsIntroduced(state)) return Outcome::kFailed;
  const Result<Document> answer = program_->Ask(id_, fmt::format("{{\"id\":{},{}}}", id_, what));
  if (!answer.ok()) return Outcome::kFailed;
  const Status status = take(answer.value().root());
  if (!status.ok()) {
    program_->Refuse(status);
    return Outcome::kFailed;
  }
  program_->Accept();
  return Outcome::kAnswered;
}

// A process that never heard of this service is told of it first.
bool ExternalTalk::IsIntroduced(std::string_view state) {
  if (told_ == program_->session()) return true;
  const Result<Document> answer = program_->Ask(
      id_,
      fmt::format("{{\"id\":{},\"start\":{{{},\"state\":{}}}}}", id_, start_, JsonText(state)));
  if (answer.ok()) told_ = program_->session();
  return answer.ok();
}

}  // namespace berth
