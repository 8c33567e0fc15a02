#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "axis.hpp"
#include "figures.hpp"
#include "svg.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr std::size_t shown_kernels = 40;
constexpr double label_width = 330.0;
constexpr double bar_width = 330.0;
constexpr double row_height = 18.0;

struct ViewWeights {
  explicit ViewWeights(std::string view) : name(std::move(view)) {}
  std::string name;
  std::vector<const Weight*> shown;  ///< largest first
  std::size_t kernels = 0;
  std::size_t used = 0;
  double sum = 0.0;         ///< over all kernels of the view
  double hidden_sum = 0.0;  ///< over those used that are not shown
  [[nodiscard]] std::size_t hidden() const { return used - shown.size(); }
};

double total(const std::vector<Weight>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0,
                         [](double sum, const Weight& w) { return sum + w.weight; });
}

std::vector<std::string> view_names(const std::vector<Run>& runs) {
  std::vector<std::string> names;
  for (const Run& run : runs) {
    for (const Weight& w : run.weights) {
      if (std::find(names.begin(), names.end(), w.view) == names.end()) names.push_back(w.view);
    }
  }
  return names;
}

std::vector<ViewWeights> group_by_view(const Run& run) {
  std::vector<const Weight*> order;
  for (const Weight& w : run.weights) {
    if (w.weight > 0.0) order.push_back(&w);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Weight* a, const Weight* b) { return a->weight > b->weight; });
  std::vector<ViewWeights> views;
  std::map<std::string, std::size_t> position;
  for (const Weight& w : run.weights) {
    if (position.emplace(w.view, views.size()).second) views.emplace_back(w.view);
    ViewWeights& view = views[position[w.view]];
    ++view.kernels;
    view.used += w.weight > 0.0 ? 1 : 0;
    view.sum += w.weight;
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    ViewWeights& view = views[position[order[k]->view]];
    if (k < shown_kernels) {
      view.shown.push_back(order[k]);
    } else {
      view.hidden_sum += order[k]->weight;
    }
  }
  return views;
}

std::string_view text_on(std::string_view color) {
  const bool is_dark = color == "#0072B2" || color == "#D55E00" || color == "#009E73" ||
                       color == "#000000" || color == "#7F7F7F";
  return is_dark ? "inside-light" : "inside-dark";
}

double figure_height(const std::vector<ViewWeights>& views) {
  double height = 40.0;
  for (const ViewWeights& view : views) {
    height +=
        30.0 + row_height * static_cast<double>(view.shown.size() + (view.hidden() > 0 ? 1 : 0));
  }
  return height;
}

double draw_view(Svg& svg, const ViewWeights& view, std::string_view color, double sum,
                 const Axis& x, double top) {
  double at = top + 20.0;
  svg.text({label_width, at},
           fmt::format("{}: {} of the weight, {} of {} kernels", shorten(view.name, 30),
                       percent(sum > 0.0 ? view.sum / sum : 0.0), view.used, view.kernels),
           "start", "strong");
  at += 8.0;
  for (const Weight* w : view.shown) {
    svg.text({label_width - 8.0, at + 13.0}, shorten(w->kernel, 50), "end", "name");
    svg.bar({label_width, at + 3.0}, std::max(0.5, x(w->weight) - label_width), row_height - 5.0,
            color, fmt::format("{}: {}", w->kernel, number(w->weight)));
    svg.text({x(w->weight) + 6.0, at + 13.0}, number(w->weight), "start", "tick");
    at += row_height;
  }
  if (view.hidden() > 0) {
    svg.text({label_width, at + 13.0},
             fmt::format("{} more kernels, together {}", view.hidden(), number(view.hidden_sum)),
             "start", "tick");
    at += row_height;
  }
  return at + 2.0;
}

std::string draw_weights(const Run& run, const std::vector<ViewWeights>& views) {
  std::vector<double> shown = {0.0};
  for (const ViewWeights& view : views) {
    for (const Weight* w : view.shown) shown.push_back(w->weight);
  }
  const Axis x = Axis::linear(shown, label_width, label_width + bar_width);
  const double height = figure_height(views);
  Svg svg(label_width + bar_width + 70.0, height, "Kernel weights of " + run.name,
          "Horizontal bars, one for each kernel, grouped by view, the largest weight first.");
  for (const Tick& tick : x.ticks()) {
    svg.line({x(tick.value), 4.0}, {x(tick.value), height - 32.0}, "grid");
    svg.text({x(tick.value), height - 19.0}, tick.label, "middle", "tick");
  }
  double top = 0.0;
  const double sum = total(run.weights);
  for (std::size_t v = 0; v < views.size(); ++v) {
    top = draw_view(svg, views[v], stroke(v).color, sum, x, top);
  }
  svg.line({label_width, 4.0}, {label_width, height - 32.0}, "axis");
  svg.text({label_width + bar_width / 2.0, height - 4.0}, "weight of the normalised kernel",
           "middle", "label");
  return svg.finish();
}

void draw_share_row(Svg& svg, const Run& run, const std::vector<std::string>& views, double at) {
  constexpr double left = 170.0;
  constexpr double width = 560.0;
  const double sum = total(run.weights);
  svg.text({left - 8.0, at + 17.0}, shorten(run.name, 26), "end", "name");
  if (sum <= 0.0) {
    svg.text({left, at + 17.0}, "every weight is zero", "start", "tick");
    return;
  }
  double begin = left;
  for (std::size_t v = 0; v < views.size(); ++v) {
    double share = 0.0;
    for (const Weight& w : run.weights) share += w.view == views[v] ? w.weight / sum : 0.0;
    if (share <= 0.0) continue;
    const std::string_view color = stroke(v).color;
    svg.bar({begin, at}, width * share, 24.0, color,
            fmt::format("{}: {}", views[v], percent(share)));
    if (share > 0.07) {
      svg.text({begin + width * share / 2.0, at + 16.5}, percent(share), "middle", text_on(color));
    }
    begin += width * share;
  }
}

}  // namespace

std::string view_shares(const std::vector<Run>& runs) {
  const std::vector<std::string> views = view_names(runs);
  const double legend_top = 34.0 * static_cast<double>(runs.size()) + 8.0;
  const double rows = static_cast<double>((views.size() + 3) / 4);
  Svg svg(746.0, legend_top + 22.0 * rows + 6.0, "Share of the weight by view",
          "One stacked bar for each run; the parts are the views' shares of the sum of weights.");
  double at = 4.0;
  for (const Run& run : runs) {
    draw_share_row(svg, run, views, at);
    at += 34.0;
  }
  for (std::size_t v = 0; v < views.size(); ++v) {
    const double x = 170.0 + 142.0 * static_cast<double>(v % 4);
    const double y = legend_top + 22.0 * static_cast<double>(v / 4);
    svg.bar({x, y}, 14.0, 14.0, stroke(v).color, "");
    svg.text({x + 20.0, y + 12.0}, shorten(views[v], 18), "start", "name");
  }
  return "<figure>" + svg.finish() +
         "<figcaption>How each run divides the sum of its kernel weights among the views."
         "</figcaption></figure>\n";
}

std::string kernel_weights(const Run& run) {
  if (run.weights.empty()) return "<p class=\"empty\">No kernel weights were recorded.</p>\n";
  const auto [least, most] =
      std::minmax_element(run.weights.begin(), run.weights.end(),
                          [](const Weight& a, const Weight& b) { return a.weight < b.weight; });
  if (run.weights.size() > 1 && most->weight - least->weight <= 1e-12 * most->weight) {
    return fmt::format("<p>All {} kernels have the same weight, {}.</p>\n", run.weights.size(),
                       number(most->weight));
  }
  const std::size_t used = run.kernels_used();
  const std::string which = used > shown_kernels
                                ? fmt::format("the {} largest of {} weights", shown_kernels, used)
                                : fmt::format("all {} weights that are not zero", used);
  return "<figure>" + draw_weights(run, group_by_view(run)) +
         fmt::format("<figcaption>Kernel weights of {} by view: {}.</figcaption></figure>\n",
                     escape(run.name), which);
}

}  // namespace kernmix::report
