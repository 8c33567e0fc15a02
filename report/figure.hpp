#pragma once
/// \file
/// A figure as a value, and the page that numbers figures and offers them for download.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kernmix::report {

struct Figure {
  std::vector<std::string> charts;  ///< each an <svg>; a figure without charts is left out
  std::string caption;              ///< HTML, whole sentences
  std::string data;                 ///< CSV: the numbers that are drawn
};

/// HTML that grows from top to bottom.
class Page {
 public:
  void add(std::string_view html) { html_ += html; }
  /// With the next number, links to each chart as SVG and to the data as CSV. Links hold what they
  /// offer: they need no network.
  void add(const Figure& figure);
  void add(const std::vector<Figure>& figures);
  [[nodiscard]] const std::string& html() const { return html_; }

 private:
  std::string html_;
  int figures_ = 0;
};

/// `bytes` as a URI that holds them (RFC 2397), safe as an attribute value.
[[nodiscard]] std::string data_uri(std::string_view type, std::string_view bytes);

/// One line of CSV (RFC 4180).
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);

/// A table with names at its top and on its left.
[[nodiscard]] std::string csv_table(
    const std::vector<std::string>& rows, const std::vector<std::string>& columns,
    const std::function<std::string(std::size_t row, std::size_t column)>& cell);

}  // namespace kernmix::report
