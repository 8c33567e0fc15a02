#include "heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frame.hpp"
#include "kernmix/types.hpp"
#include "report/labels.hpp"
#include "svg.hpp"

namespace kernmix::report {

namespace {

constexpr double largest_cell = 44.0;
constexpr double least_cell = 16.0;
constexpr double row_step = 20.0;
constexpr double top = 26.0;
constexpr int longest_name = 30;

int longest_of(const std::vector<std::string>& names, int limit) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return static_cast<int>(std::min(longest, to_size(limit)));
}

/// The layout of the cells of a map.
struct Grid {
  explicit Grid(const HeatMap& map)
      : left(10.0 + 7.6 * longest_of(map.rows, map.longest_row)),
        bottom(top + row_step * static_cast<double>(map.rows.size())),
        height(bottom + 12.0 + 7.0 * longest_of(map.columns, longest_name)) {
    const auto columns = static_cast<double>(std::max<std::size_t>(1, map.columns.size()));
    cell = std::clamp((chart_width - left - 2.0) / columns, least_cell, largest_cell);
    width = std::max(chart_width, left + cell * columns + 2.0);
  }
  double left;
  double bottom;
  double height;
  double cell = 0.0;
  double width = 0.0;
};

void draw_row(Svg& svg, const HeatMap& map, const Grid& grid, std::size_t r,
              const std::string& label) {
  const double at = top + row_step * static_cast<double>(r);
  svg.text({grid.left - 8.0, at + 14.0}, label, "end", "name");
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    const double left = grid.left + grid.cell * static_cast<double>(c);
    const double shade = std::isfinite(map.shade[r][c]) ? map.shade[r][c] : 0.0;
    const std::string text = map.text(r, c);
    svg.bar({left, at}, grid.cell - 1.0, row_step - 1.0, heat_fill,
            fmt::format("{}, {}: {}", map.rows[r], map.columns[c], text),
            std::clamp(0.04 + 0.96 * shade, 0.0, 0.999));
    if (!map.show_text || text == "0") continue;
    svg.text({left + grid.cell / 2.0, at + 14.0}, text, "middle",
             shade > 0.5 ? "on-dark" : "on-light");
  }
}

}  // namespace

std::string draw_heat_map(const HeatMap& map) {
  const Grid grid(map);
  Svg svg(grid.width, grid.height, map.title, map.description);
  svg.text({0.0, 16.0}, map.title, "start", "strong");
  const std::vector<std::string> rows = distinct_labels(map.rows, map.longest_row);
  const std::vector<std::string> columns = distinct_labels(map.columns, longest_name);
  for (std::size_t r = 0; r < rows.size(); ++r) draw_row(svg, map, grid, r, rows[r]);
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    const double middle = grid.left + grid.cell * (static_cast<double>(c) + 0.5);
    svg.hanging_text({middle + 4.0, grid.bottom + 5.0}, columns[c], "tick");
  }
  return svg.finish();
}

}  // namespace kernmix::report
