// The dialogues of docs/protocol.md are played through with the program: a block that begins with
// ```ugi or ```gtp and what follows `polymax engine`. Its files (```sgf) are read.
#include <gtest/gtest.h>

#include <sstream>

#include "arena/record.hpp"
#include "core/file.hpp"
#include "protocol/child.hpp"
#include "protocol/dialogue.hpp"

namespace polymax::protocol::transcript_test {
namespace {

struct Block {
  std::string language, arguments;
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const std::string& path) {
  std::istringstream text(read_file(path));
  std::vector<Block> out;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      out.back().lines.push_back(line);
    } else if (line.starts_with("```ugi ") || line.starts_with("```gtp ") || line == "```sgf") {
      out.push_back({line.substr(3, 3), line == "```sgf" ? "" : line.substr(7), {}});
      inside = true;
    }
  }
  return out;
}

std::string shell_quoted(const std::string& arguments) {
  const auto end = arguments.find(' ');
  return "'" + arguments.substr(0, end) + "'" + arguments.substr(end);
}

void play_through(const Block& block) {
  Child engine(POLYMAX_BINARY " engine " + shell_quoted(block.arguments) +
                   (block.language == "gtp" ? " --gtp" : ""),
               "");
  std::string ahead;  // a line that was read after the last info
  bool has_ahead = false;
  const auto next = [&] {
    if (has_ahead) {
      has_ahead = false;
      return ahead;
    }
    const auto answer = engine.read(after(120));
    return answer.got == Child::Got::line ? answer.line : std::string("nothing");
  };
  for (const auto& line : block.lines) {
    if (line.starts_with("> ")) {
      ASSERT_TRUE(engine.write(line.substr(2), after(120)));
    } else if (line == "info ...") {
      int infos = 0;
      for (ahead = next(); ahead.starts_with("info "); ahead = next()) ++infos;
      EXPECT_GT(infos, 0);
      has_ahead = true;
    } else {
      ASSERT_EQ(next(), line);
    }
  }
  engine.end(60);
  EXPECT_EQ(engine.how_it_ended(), "exit code 0");
}

void read_through(const Block& block) {
  std::string text;
  for (const auto& line : block.lines) text += line + "\n";
  const auto records = arena::records_of_text(text, "the documentation");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_TRUE(arena::replay(records[0]).over);
}

TEST(transcript, TheDialoguesAndFilesOfTheDocumentationAreTrue) {
  const auto blocks = blocks_of(POLYMAX_SOURCE_DIR "/docs/protocol.md");
  ASSERT_EQ(blocks.size(), 3u);
  for (const auto& block : blocks) {
    SCOPED_TRACE(block.language + " " + block.arguments);
    if (block.language == "sgf") {
      read_through(block);
      continue;
    }
    EXPECT_GT(block.lines.size(), 15u);
    play_through(block);
  }
}

}  // namespace
}  // namespace polymax::protocol::transcript_test
