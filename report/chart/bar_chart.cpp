#include "bar_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axis.hpp"
#include "frame.hpp"
#include "report/labels.hpp"
#include "report/text.hpp"

namespace kernmix::report {
namespace {

constexpr double bars_top = 34.0;
constexpr double bar_step = 29.0;
constexpr double bar_height = 9.0;
constexpr double room_of_text = 58.0;  ///< for the number at the end of the longest bar
constexpr double stack_step = 46.0;
constexpr double key_step = 20.0;

Axis axis_of_bars(const BarChart& chart) {
  std::vector<double> values = {0.0};
  for (const Bar& bar : chart.bars) {
    values.push_back(bar.value);
    if (bar.high) values.push_back(*bar.high);
  }
  return Axis::linear(values, 2.0, chart_width - room_of_text);
}

std::string tick_text(const BarChart& chart, const Tick& tick) {
  return chart.percent ? fmt::format("{:g} %", 100.0 * std::max(0.0, tick.value)) : tick.label;
}

/// The labels of the bars. Notes leave less room for them.
std::vector<std::string> labels_of(const std::vector<Bar>& bars) {
  constexpr int room = 58;
  constexpr int room_beside_note = 44;
  std::vector<std::string> names;
  for (const Bar& bar : bars) names.push_back(bar.name);
  const bool notes = std::ranges::any_of(bars, [](const Bar& bar) { return !bar.note.empty(); });
  return distinct_labels(names, notes ? room_beside_note : room);
}

template <typename Named>
std::vector<std::string> labels_of(const std::vector<Named>& all, int room) {
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(one.name);
  return distinct_labels(names, room);
}

void draw_bar(Svg& svg, const Bar& bar, const std::string& label, const Axis& x, double at) {
  svg.text({2.0, at + 11.0}, label, "start", "name");
  if (!bar.note.empty()) svg.text({chart_width - 2.0, at + 11.0}, bar.note, "end", "tick");
  const double top = at + 15.0;
  const double zero = x(0.0);
  svg.bar({zero, top}, std::max(0.75, x(bar.value) - zero), bar_height, bar.color,
          fmt::format("{}: {}", bar.name, bar.text));
  double end = x(bar.value);
  if (bar.low && bar.high) {
    const double middle = top + bar_height / 2.0;
    svg.line({x(*bar.low), middle}, {x(*bar.high), middle}, "whisker");
    for (const double limit : {x(*bar.low), x(*bar.high)}) {
      svg.line({limit, middle - 3.0}, {limit, middle + 3.0}, "whisker");
    }
    end = std::max(end, x(*bar.high));
  }
  svg.text({end + 6.0, top + 8.5}, bar.text, "start", "tick");
}

double draw_stack(Svg& svg, const Stack& stack, const std::string& label, double at) {
  svg.text({2.0, at + 12.0}, label, "start", "name");
  if (stack.parts.empty()) svg.text({2.0, at + 30.0}, stack.empty, "start", "tick");
  double begin = 2.0;
  for (const Part& part : stack.parts) {
    const double width = (chart_width - 4.0) * part.share;
    svg.bar({begin, at + 17.0}, std::max(0.5, width - 1.0), 19.0, part.color,
            fmt::format("{}: {}", part.name, percent(part.share)));
    const std::string text = percent(part.share);
    if (width > text_width(text)) {
      svg.text({begin + width / 2.0, at + 30.5}, text, "middle", "on-fill");
    }
    begin += width;
  }
  return at + stack_step;
}

}  // namespace

std::string draw_bars(const BarChart& chart) {
  const Axis x = axis_of_bars(chart);
  const double bottom = bars_top + bar_step * static_cast<double>(chart.bars.size()) + 4.0;
  Svg svg(chart_width, bottom + 42.0, chart.title, chart.description);
  svg.text({0.0, 16.0}, chart.title, "start", "strong");
  for (const Tick& tick : x.ticks()) {
    svg.line({x(tick.value), bars_top - 6.0}, {x(tick.value), bottom}, "grid");
    svg.text({x(tick.value), bottom + 15.0}, tick_text(chart, tick),
             x(tick.value) < 20.0 ? "start" : "middle", "tick");
  }
  double at = bars_top - 4.0;
  const std::vector<std::string> labels = labels_of(chart.bars);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    draw_bar(svg, chart.bars[k], labels[k], x, at);
    at += bar_step;
  }
  svg.text({(x(0.0) + chart_width - room_of_text) / 2.0, bottom + 34.0}, chart.x_label, "middle",
           "label");
  return svg.finish();
}

std::string draw_stacks(const std::string& title, const std::string& description,
                        const std::vector<Stack>& stacks, const std::vector<Part>& keys) {
  const double legend = 30.0 + stack_step * static_cast<double>(stacks.size());
  const auto rows = static_cast<double>((keys.size() + 1) / 2);
  Svg svg(chart_width, legend + key_step * rows + 6.0, title, description);
  svg.text({0.0, 16.0}, title, "start", "strong");
  double at = 26.0;
  const std::vector<std::string> labels = labels_of(stacks, 60);
  for (std::size_t k = 0; k < stacks.size(); ++k) at = draw_stack(svg, stacks[k], labels[k], at);
  const std::vector<std::string> key_labels = labels_of(keys, 27);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const double x = 2.0 + chart_width / 2.0 * static_cast<double>(k % 2);
    const double y = legend + key_step * static_cast<double>(k / 2);
    svg.bar({x, y}, 12.0, 12.0, keys[k].color, "");
    svg.text({x + 18.0, y + 10.5}, key_labels[k], "start", "name");
  }
  return svg.finish();
}

}  // namespace kernmix::report
