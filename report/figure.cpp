#include "figure.hpp"

#include <fmt/format.h>

#include <cctype>

#include "documents/layout.hpp"

namespace kernmix::report {
namespace {

std::string link(const std::string& file, const std::string& words, std::string_view type,
                 std::string_view bytes) {
  return fmt::format(" <a download=\"{}\" href=\"{}\">{}</a>", file, data_uri(type, bytes), words);
}

/// "a", "b", ... where a figure has several charts.
std::string letter(const Figure& figure, std::size_t chart) {
  if (figure.charts.size() == 1) return "";
  return std::string(1, static_cast<char>('a' + chart % 26));
}

std::string downloads(const Figure& figure, int number) {
  std::string links;
  for (std::size_t k = 0; k < figure.charts.size(); ++k) {
    const std::string which = letter(figure, k);
    links += link(fmt::format("figure-{}{}.svg", number, which),
                  which.empty() ? "SVG" : "SVG " + which, "image/svg+xml", figure.charts[k]);
  }
  if (!figure.data.empty()) {
    links += link(fmt::format("figure-{}.csv", number), "CSV", "text/csv", figure.data);
  }
  return "<span class=\"downloads\">Download:" + links + "</span>";
}

}  // namespace

void Page::add(const Figure& figure) {
  if (figure.charts.empty()) return;
  ++figures_;
  html_ += fmt::format("<figure id=\"figure-{}\"><div class=\"charts\">\n", figures_);
  for (const std::string& chart : figure.charts) html_ += chart;
  html_ +=
      fmt::format("</div><figcaption><strong>Figure {}.</strong> {} {}</figcaption></figure>\n",
                  figures_, figure.caption, downloads(figure, figures_));
}

void Page::add(const std::vector<Figure>& figures) {
  for (const Figure& figure : figures) add(figure);
}

std::string data_uri(std::string_view type, std::string_view bytes) {
  std::string uri = fmt::format("data:{};charset=utf-8,", type);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/:;=,()").find(c) != std::string::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", byte);
    }
  }
  return uri;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (k > 0) line += ',';
    line += documents::csv_field(cells[k]);
  }
  return line + "\n";
}

std::string csv_table(const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                      const std::function<std::string(std::size_t row, std::size_t column)>& cell) {
  std::vector<std::string> head = {""};
  head.insert(head.end(), columns.begin(), columns.end());
  std::string csv = csv_line(head);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::string> line = {rows[r]};
    for (std::size_t c = 0; c < columns.size(); ++c) line.push_back(cell(r, c));
    csv += csv_line(line);
  }
  return csv;
}

}  // namespace kernmix::report
