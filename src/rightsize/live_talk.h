// What is said of one service by a program that nobody waits for: lines wait here, one at a time is
// with the program, and what was said last holds until the next answer is home. `Said` is
// ExternalSize or ExternalCount.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rightsize/live_program.h"

namespace berth {

// "; the program has not answered since 2026-11-15 14:05:00".
std::string NotAnsweredSince(Time since);

template <typename Said>
class LiveTalk {
 public:
  // `external` is the program's name, of which there may be none: then nothing is ever said.
  LiveTalk(const ProgramDesk& desk, std::string_view external, std::string service,
           std::string start)
      : desk_(desk),
        program_(desk.Find(external)),
        service_(std::move(service)),
        start_(std::move(start)) {
    Begin();
  }
  ~LiveTalk() { End(); }
  LiveTalk(const LiveTalk&) = delete;
  LiveTalk& operator=(const LiveTalk&) = delete;

  void Tell(Time at, std::string what) {
    if (program_ == nullptr) return;
    if (waiting_.size() == LiveProgram::kWaitingLinesMax) {
      program_->Leave(waiting_.front().what.size());
      program_->NoteDropped();
      waiting_.pop_front();
    }
    if (!program_->Admit(what.size())) return program_->NoteDropped();
    waiting_.push_back({at, std::move(what)});
    if (asked_bytes_ == 0) Ask();
  }

  const Said& said() const { return said_; }
  // Empty: the last line that it was asked, it answered.
  std::string Silence() const { return silent_since_ ? NotAnsweredSince(*silent_since_) : ""; }

  // Goes on from there; what waits was said to another.
  void Restore(Said said) {
    End();
    said_ = std::move(said);
    silent_since_.reset();
    Begin();
  }

 private:
  struct Line {
    Time at;
    std::string what;
  };

  void Begin() {
    if (program_ != nullptr) talk_ = program_->NewTalk(start_);
    alive_ = std::make_shared<bool>(true);
  }

  void End() {
    alive_.reset();
    if (program_ == nullptr) return;
    for (const Line& line : waiting_) program_->Leave(line.what.size());
    waiting_.clear();
    if (asked_bytes_ > 0) program_->Leave(std::exchange(asked_bytes_, 0));
    // The program's thread may be at it, and it is that thread's to give the id back.
    program_->Post([talk = std::move(talk_)]() mutable { talk.reset(); });
  }

  void Ask() {
    Line line = std::move(waiting_.front());
    waiting_.pop_front();
    asked_bytes_ = line.what.size();
    program_->Post([this, alive = std::weak_ptr<bool>(alive_), home = desk_.home,
                    program = program_, talk = talk_, said = said_,
                    line = std::move(line)]() mutable {
      const ExternalTalk::Outcome outcome = program->Exchange(
          *talk, line.what, said.state, [&](const Node& answer) { return said.Take(answer); });
      talk.reset();  // Here, not where the task ends.
      home->Post([this, alive, outcome, at = line.at, said = std::move(said)]() mutable {
        if (!alive.expired()) Arrive(outcome, at, std::move(said));
      });
    });
  }

  void Arrive(ExternalTalk::Outcome outcome, Time at, Said said) {
    program_->Leave(std::exchange(asked_bytes_, 0));
    program_->NoteOutcome(outcome);
    if (outcome == ExternalTalk::Outcome::kAnswered) {
      said_ = std::move(said);
      silent_since_.reset();
    } else if (!silent_since_) {
      silent_since_ = at;
    }
    if (!waiting_.empty()) Ask();
    // Last, and of a copy: whoever hears of it may end this talk.
    if (desk_.heard) desk_.heard(std::string(service_));
  }

  const ProgramDesk& desk_;
  LiveProgram* program_;
  std::string service_;
  std::string start_;
  std::shared_ptr<ExternalTalk> talk_;  // Touched on the program's thread only.
  std::shared_ptr<bool> alive_;
  std::deque<Line> waiting_;
  std::size_t asked_bytes_ = 0;  // Of the line that the program has; 0: it has none.
  Said said_;
  std::optional<Time> silent_since_;
};

}  // namespace berth
