#include "frame.hpp"

#include <algorithm>

#include "report/text.hpp"

namespace kernmix::report {

void Frame::fit(const Axis& y, const Axis& x) {
  double widest = 0.0;
  for (const Tick& tick : y.ticks()) widest = std::max(widest, text_width(tick.label));
  left = 32.0 + widest;
  margin = std::max(10.0, 4.0 + text_width(x.ticks().back().label) / 2.0);
}

void draw_axes(Svg& svg, const ChartText& text, const Frame& frame, const Axis& x, const Axis& y) {
  for (const Tick& tick : y.ticks()) {
    const double at = y(tick.value);
    svg.line({frame.left, at}, {frame.right(), at}, "grid");
    svg.text({frame.left - 7.0, at + 4.0}, tick.label, "end", "tick");
  }
  for (const Tick& tick : x.ticks()) {
    const double at = x(tick.value);
    svg.line({at, frame.bottom()}, {at, frame.bottom() + 4.0}, "axis");
    svg.text({at, frame.bottom() + 18.0}, tick.label, "middle", "tick");
  }
  svg.line({frame.left, frame.bottom()}, {frame.right(), frame.bottom()}, "axis");
  svg.text({frame.left + frame.width() / 2.0, frame.bottom() + 38.0}, text.x_label, "middle",
           "label");
  svg.vertical_text({14.0, frame.top + frame.height / 2.0}, text.y_label, "label");
  svg.text({0.0, 16.0}, text.title, "start", "strong");
}

void draw_key(Svg& svg, const Frame& frame, std::size_t row, std::string_view color,
              const std::string& name) {
  const double at = frame.bottom() + 62.0 + 20.0 * static_cast<double>(row);
  svg.bar({frame.left, at - 10.0}, 12.0, 12.0, color, "");
  svg.text({frame.left + 20.0, at}, shorten(name, longest_key + 8), "start", "name");
}

}  // namespace kernmix::report
