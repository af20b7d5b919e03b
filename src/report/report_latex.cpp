// A study's report as LaTeX: tables of the paper's shape (means with bounds; scores of every game
// with radius), the best three groups in red, orange and pink. Needs \usepackage{xcolor} and, for
// the signs, \usepackage{textcomp}.
#include <fmt/format.h>

#include "core/columns.hpp"
#include "report/report_parts.hpp"

namespace polymax::report {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    const std::string_view special = "&%$#_{}";
    if (c == '^')
      out += "\\textasciicircum{}";
    else if (c == '~')
      out += "\\textasciitilde{}";
    else if (c == '\\')
      out += "\\textbackslash{}";
    else
      out += (special.find(c) != std::string_view::npos ? "\\" : "") + std::string(1, c);
  }
  return out;
}

std::string name_of(const Figures& f, int p) {
  const auto* known = f.paper.find_player(f.player(p));
  return known ? known->latex : escaped(f.player(p));
}

// The paper's title; with its settings where board or rules are not the paper's.
std::string game_of(const Figures& f, int g) {
  const std::string& spec = f.table.games[static_cast<std::size_t>(g)].spec;
  const auto* known = f.paper.find_game(spec);
  if (!known) return escaped(f.label(g));
  const auto settings = spec == known->spec ? spec.npos : spec.find('(');
  return escaped(known->title + (settings == spec.npos ? "" : " " + spec.substr(settings)));
}

std::string coloured(const std::string& text, int group) {
  const char* const names[] = {"", "red", "orange", "pink"};
  return group == 0 ? text : fmt::format("\\textbf{{\\textcolor{{{}}}{{{}}}}}", names[group], text);
}

std::string in_size(const char* size, const std::string& text) {
  return text.empty() ? "" : fmt::format("{{\\{} {}}}", size, text);
}

std::string caption(const Figures& f, const std::string& what) {
  return fmt::format(
      "\\caption{{{} of the evaluated algorithms against {} (budget {}; \\textcolor{{red}}{{red}} "
      "\\textgreater{{}} \\textcolor{{orange}}{{orange}} \\textgreater{{}} "
      "\\textcolor{{pink}}{{pink}}).}}\n",
      what, escaped(f.table.benchmark.name), escaped(budget_text(f)));
}

// The paper's three columns, and the bounds that allow for shared networks.
std::string means(const Figures& f, const arena::Pool& pool) {
  std::string out =
      "\\begin{table}\n\\begin{centering}\n{\\small\\renewcommand{\\arraystretch}{1.2}%\n\\begin{"
      "tabular}{|c||c|c|c|c|"
      "c|}\n\\hline\n";
  for (const char* head :
       {"mean", "lower bound", "upper bound", "lower (networks)", "upper (networks)"})
    out += std::string(" & ") + in_size("small", head);
  out += "\\tabularnewline\n\\hline\n\\hline\n";
  for (const auto& row : pool.rows) {
    out += in_size("small", name_of(f, row.player)) + " & " +
           in_size("small", coloured(percent(row.matches.mean, 2), row.group));
    for (const arena::Interval* interval : {&row.matches, &row.networks})
      for (double bound : {interval->low, interval->high})
        out += " & " + in_size("small", interval->known ? percent(bound, 2) : "--");
    out += "\\tabularnewline\n\\hline\n";
  }
  out += "\\end{tabular}}\n\\par\\end{centering}\n";
  return out + caption(f, "Average binary scores over " + escaped(f.pool_title(pool))) +
         "\\end{table}\n";
}

std::string details(const Figures& f) {
  std::string out =
      "\\begin{table*}\n\\begin{centering}\n{\\tiny\\renewcommand{\\arraystretch}{1.5}%\n\\begin{"
      "tabular}{|c||";
  for (int g = 0; g < f.games(); ++g) out += "c|";
  out += "}\n\\hline\n";
  for (int g = 0; g < f.games(); ++g) out += " & " + in_size("tiny", game_of(f, g));
  out += "\\tabularnewline\n\\hline\n\\hline\n";
  for (int p = 0; p < f.players(); ++p) {
    out += in_size("tiny", name_of(f, p));
    for (int g = 0; g < f.games(); ++g) {
      const arena::CellResult& cell = f.cell(p, g);
      std::string text = cell.all.matches() > 0 ? percent(cell.matches.mean, 0) : "";
      if (cell.matches.known) text += " \\textpm " + percent(cell.matches.radius(), 0);
      out += " & " + in_size("tiny", text.empty() ? "" : coloured(text, cell.group));
    }
    out += "\\tabularnewline\n\\hline\n";
  }
  out += "\\end{tabular}}\n\\par\\end{centering}\n";
  return out + caption(f, "Binary scores for all games") + "\\end{table*}\n";
}

// A table may leave the report: comments say what it is of.
std::string comments(const Figures& f) {
  std::vector<std::string> lines{f.table.title + ": " + f.progress(), origin_text(f),
                                 banner_text(f)};
  for (int g = 0; g < f.games(); ++g) {
    const auto& functions = f.table.games[static_cast<std::size_t>(g)].evaluators;
    for (std::size_t i = 0; i < functions.size(); ++i)
      lines.push_back(
          fmt::format("{} f_{}: {} {}", f.label(g), i, functions[i].name, functions[i].about));
  }
  lines.emplace_back("needs \\usepackage{xcolor,textcomp}");
  std::string out;
  for (const auto& line : lines)
    if (!line.empty()) out += "% " + one_line(line) + "\n";
  return out;
}

}  // namespace

std::string to_latex(const Figures& f) {
  std::string out = comments(f);
  for (const arena::Pool& pool : f.analysis.pools)
    if (!pool.rows.empty()) out += means(f, pool) + "\n";
  return out + details(f);
}

}  // namespace polymax::report
