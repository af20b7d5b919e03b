// A line while somebody types it: what keys mean and what they do to the text. Knows no terminal.
// Chosen: an editor of our own, since the little that a game needs is little code, while a library
// would be one more package for every machine, takes signals over, and readline's licence is not
// ours.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polymax::cli {

struct Key {
  enum class Kind {
    text,
    enter,
    tab,
    left,
    right,
    word_left,
    word_right,
    home,
    end,
    before,  // in the history
    after,
    erase,
    erase_next,
    erase_word,
    cut_begin,
    cut_end,
    paste,
    clear_screen,
    input_end,  // Ctrl-D: deletes within a line
    none
  };
  Kind kind = Kind::none;
  std::string text{};  // one character, of kind text
};

// The bytes that a terminal sends as keys.
class Keys {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // Nothing: more bytes are needed.
  std::optional<Key> next();
  // No more bytes came for a while: an escape that is not whole was the Escape key, and is dropped.
  void settle();

 private:
  std::optional<Key> escape();

  std::string bytes_;
};

// What the words from `from` on may become; a word that goes on ends with its separator.
struct Completion {
  std::size_t from = 0;
  std::vector<std::string> words;
};

class EditedLine {
 public:
  void take(const Key& key);  // not enter, tab, clear_screen

  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }  // in bytes
  std::string before_cursor() const { return text_.substr(0, cursor_); }

  // Puts in what all the words begin with; false: that is there already, and there are several.
  bool complete(const Completion& completion);

  // The line as it is, which becomes the last of the history; a new one begins.
  std::string finish();

  // As much of the line around the cursor as fits.
  struct View {
    std::string text;
    std::size_t column = 0;  // of the cursor
  };
  View view(std::size_t columns) const;

 private:
  std::size_t left_of(std::size_t at) const;
  std::size_t right_of(std::size_t at) const;
  std::size_t word_left() const;
  std::size_t word_right() const;
  void cut(std::size_t from, std::size_t to);
  void erase(std::size_t from, std::size_t to);
  void show_history(std::size_t at);

  std::string text_, cut_;
  std::size_t cursor_ = 0;
  std::vector<std::string> history_;
  std::size_t shown_ = 0;  // of the history; its size: the line of now
  std::string now_;
};

}  // namespace polymax::cli
