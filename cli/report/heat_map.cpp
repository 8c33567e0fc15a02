#include "heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "svg.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr double names_width = 170.0;
constexpr double cells_width = 560.0;
constexpr double largest_cell = 44.0;
constexpr double row_step = 20.0;
constexpr int longest_name = 30;

/// White to the blue of Okabe and Ito, evenly in each channel.
std::string shade_color(double share) {
  const double t = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  const auto channel = [&](double dark) {
    return static_cast<int>(std::lround(255.0 - t * (255.0 - dark)));
  };
  return fmt::format("#{:02X}{:02X}{:02X}", channel(0x00), channel(0x52), channel(0x92));
}

/// Room for the longest column name, which is written upwards.
double names_height(const std::vector<std::string>& names) {
  std::size_t longest = 0;
  for (const std::string& name : names) {
    longest = std::max(longest, std::min<std::size_t>(name.size(), longest_name));
  }
  return 12.0 + 6.0 * static_cast<double>(longest);
}

}  // namespace

std::string draw_heat_map(const HeatMap& map) {
  const double cell =
      std::min(largest_cell,
               cells_width / static_cast<double>(std::max<std::size_t>(1, map.columns.size())));
  const double bottom = 26.0 + row_step * static_cast<double>(map.rows.size());
  Svg svg(names_width + cells_width + 16.0, bottom + names_height(map.columns), map.title,
          map.description);
  svg.text({names_width, 14.0}, map.title, "start", "strong");
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const double top = 24.0 + row_step * static_cast<double>(r);
    svg.text({names_width - 8.0, top + 14.0}, shorten(map.rows[r], 24), "end", "name");
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const double left = names_width + cell * static_cast<double>(c);
      const double shade = map.shade[r][c];
      svg.bar({left, top}, cell - 1.0, row_step - 1.0, shade_color(shade),
              fmt::format("{}, {}: {}", map.rows[r], map.columns[c], map.text(r, c)));
      if (!map.show_text) continue;
      svg.text({left + cell / 2.0, top + 14.0}, map.text(r, c), "middle",
               shade > 0.5 ? "inside-light" : "inside-dark");
    }
  }
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    const double middle = names_width + cell * (static_cast<double>(c) + 0.5);
    svg.hanging_text({middle + 4.0, bottom + 4.0}, shorten(map.columns[c], longest_name), "tick");
  }
  return svg.finish();
}

}  // namespace kernmix::report
