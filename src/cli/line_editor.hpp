// Lines that a person types at a prompt: in a terminal with the keys of a line editor, a history
// and completion by Tab; from a pipe or a file as they are.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "cli/edited_line.hpp"
#include "cli/terminal.hpp"

namespace polymax::cli {

struct Prompt {
  std::string text;         // may have colours
  std::size_t columns = 0;  // that it takes
};

class LineEditor {
 public:
  using Complete = std::function<Completion(const std::string& before_cursor)>;

  // plain: no editor even in a terminal, and no prompt.
  explicit LineEditor(bool plain);

  // Whether somebody sits at a terminal and looks.
  bool edits() const { return edits_; }

  // The terminal is gone: there an end that a person types is a key.
  bool hung_up() const { return edits_ && ended_; }

  // Nothing when the input has ended or a stop was asked for.
  std::optional<std::string> next(const Prompt& prompt, const Complete& complete,
                                  const std::stop_token& stop);

  // A question to which only y and yes are a yes.
  bool ask(const std::string& question, const std::stop_token& stop);

 private:
  std::optional<std::string> edited(const Prompt& prompt, const Complete& complete,
                                    const std::stop_token& stop);
  // The next key; none when nothing came for a moment, nothing when the input has ended.
  std::optional<Key> next_key();
  void draw(const Prompt& prompt) const;
  void offer(const Completion& completion) const;

  bool plain_, edits_, ended_ = false;
  std::optional<SingleKeys> single_;  // all the time: what is typed early is not lost
  Lines lines_;
  Keys keys_;
  EditedLine line_;
};

}  // namespace polymax::cli
