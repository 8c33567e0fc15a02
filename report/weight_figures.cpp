#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "chart/bar_chart.hpp"
#include "figures.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr std::size_t shown_views = 12;
constexpr std::size_t shown_kernels = 20;
constexpr std::size_t table_kernels = 200;

struct ViewShare {
  std::string name;
  double share = 0.0;
  std::size_t kernels = 0;
  std::size_t used = 0;
};

/// Views of a run, the largest share first.
std::vector<ViewShare> shares_of_views(const Run& run) {
  std::vector<ViewShare> views;
  std::map<std::string, std::size_t> position;
  for (const Weight& w : run.weights) {
    if (position.emplace(w.view, views.size()).second) views.push_back({w.view});
    ViewShare& view = views[position[w.view]];
    view.share += w.share_in_view;
    ++view.kernels;
    view.used += w.weight > 0.0 ? 1 : 0;
  }
  std::ranges::stable_sort(views, std::ranges::greater{}, &ViewShare::share);
  return views;
}

/// Kernels that are used, the largest weight first.
std::vector<const Weight*> used_kernels(const Run& run) {
  std::vector<const Weight*> order;
  for (const Weight& w : run.weights) {
    if (w.weight > 0.0) order.push_back(&w);
  }
  std::ranges::stable_sort(order, std::ranges::greater{}, &Weight::weight);
  return order;
}

const Resampled* find_resampled(const std::map<std::string, Resampled>& all,
                                const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

/// A bar with what resampling says of it, if anything.
Bar bar_of(const std::string& name, double share, std::string_view color,
           const Resampled* resampled) {
  Bar bar{name, share, color, percent(share)};
  if (resampled == nullptr) return bar;
  bar.note = fmt::format("chosen in {:.0f} %", 100.0 * resampled->frequency);
  bar.low = resampled->low;
  bar.high = resampled->high;
  return bar;
}

/// The bar of views that have none of their own.
Bar rest_of_views(const std::vector<ViewShare>& views, std::size_t shown) {
  double share = 0.0;
  for (std::size_t v = shown; v < views.size(); ++v) share += views[v].share;
  return {fmt::format("{} other views together", views.size() - shown), share, others_fill,
          percent(share)};
}

std::string chart_of_views(const Run& run, const ViewColors& colors) {
  const std::vector<ViewShare> views = shares_of_views(run);
  if (views.size() < 2) return "";
  BarChart chart{"Weight by view",
                 "Horizontal bars, one for each view, the largest share first.",
                 "share of the sum of weights",
                 {}};
  const auto used = static_cast<std::size_t>(
      std::ranges::count_if(views, [](const ViewShare& view) { return view.used > 0; }));
  const std::size_t shown = std::min({views.size(), shown_views, std::max<std::size_t>(used, 1)});
  for (std::size_t v = 0; v < shown; ++v) {
    const ViewShare& view = views[v];
    Bar bar = bar_of(view.name, view.share, colors.fill(view.name),
                     find_resampled(run.stability.views, view.name));
    const std::string count = fmt::format("{} of {} kernels", view.used, view.kernels);
    bar.note = bar.note.empty() ? count : count + ", " + bar.note;
    chart.bars.push_back(std::move(bar));
  }
  if (shown < views.size()) chart.bars.push_back(rest_of_views(views, shown));
  return draw_bars(chart);
}

std::string chart_of_kernels(const Run& run, const ViewColors& colors) {
  const auto kernels = used_kernels(run);
  BarChart chart{"Weight by kernel",
                 "Horizontal bars, one for each kernel, the largest share first.",
                 "share of the sum of weights",
                 {}};
  const std::size_t shown = std::min(kernels.size(), shown_kernels);
  for (std::size_t k = 0; k < shown; ++k) {
    const Weight& w = *kernels[k];
    chart.bars.push_back(bar_of(w.kernel, w.share, colors.fill(w.view),
                                find_resampled(run.stability.kernels, w.kernel)));
  }
  if (kernels.size() > shown) {
    double rest = 0.0;
    for (std::size_t k = shown; k < kernels.size(); ++k) rest += kernels[k]->share;
    chart.bars.push_back({fmt::format("{} more kernels, together", kernels.size() - shown), rest,
                          others_fill, percent(rest)});
  }
  return draw_bars(chart);
}

std::string weights_csv(const Run& run) {
  std::string csv = csv_line({"kernel", "view", "weight", "share", "chosen", "low", "high"});
  for (const Weight& w : run.weights) {
    const Resampled* const r = find_resampled(run.stability.kernels, w.kernel);
    const auto known = [&](std::optional<double> value) {
      return r != nullptr && value ? precise(value) : std::string();
    };
    csv += csv_line({w.kernel, w.view, precise(w.weight), precise(w.share),
                     known(r == nullptr ? std::nullopt : std::optional(r->frequency)),
                     known(r == nullptr ? std::nullopt : r->low),
                     known(r == nullptr ? std::nullopt : r->high)});
  }
  return csv;
}

/// What kernels that act as the identity have of the weight, which counts for no view.
std::string sentence_of_identities(const Run& run) {
  double share = 0.0;
  for (const Weight& w : run.weights) share += w.in_view < w.weight ? w.share : 0.0;
  if (share <= 0.0) return "";
  return fmt::format(
      " Shares of views leave out kernels that act as the identity, which have {} of the weight.",
      percent(share));
}

std::string sentence_of_stability(const StabilityFindings& stability) {
  if (!stability.known()) return "";
  std::string text = fmt::format(
      " Lines through the bars are {:.0f} % intervals of the share over {:.0f} resamples "
      "({}); they need not contain the share of this run, which uses all samples.",
      100.0 * stability.level, stability.resamples, escape(stability.method));
  if (stability.stable && stability.often) {
    text += fmt::format(" {:.0f} of {} kernels are chosen in at least {:.0f} % of the resamples",
                        *stability.stable, stability.kernels.size(), 100.0 * *stability.often);
    text += stability.null_stable
                ? fmt::format("; with permuted labels {:.1f} are.", *stability.null_stable)
                : ".";
  }
  return text;
}

std::string table_row(const Weight& w, const StabilityFindings& stability) {
  std::string row = fmt::format(
      "<tr><th scope=\"row\">{}</th><td data-label=\"view\">{}</td>"
      "<td data-label=\"weight\">{}</td><td data-label=\"share\">{}</td>",
      escape(w.kernel), escape(w.view), number(w.weight), percent(w.share));
  if (stability.known()) {
    const Resampled* const r = find_resampled(stability.kernels, w.kernel);
    row += fmt::format("<td data-label=\"chosen\">{}</td>",
                       r == nullptr ? "n/a" : fmt::format("{:.0f} %", 100.0 * r->frequency));
    row +=
        fmt::format("<td data-label=\"interval\">{}</td>",
                    r == nullptr || !r->low ? "n/a" : percent(r->low) + " to " + percent(r->high));
  }
  return row + "</tr>\n";
}

}  // namespace

ViewColors::ViewColors(const std::vector<Run>& runs) {
  std::map<std::string, double> shares;
  for (const Run& run : runs) {
    for (const Weight& w : run.weights) {
      if (shares.emplace(w.view, 0.0).second) order_.push_back(w.view);
      shares[w.view] += w.share_in_view;
    }
  }
  std::vector<std::string> largest = order_;
  std::ranges::stable_sort(largest, std::ranges::greater{},
                           [&](const std::string& view) { return shares[view]; });
  // Few views keep the order of the bank.
  if (order_.size() > distinct_colors) order_ = std::move(largest);
}

std::string_view ViewColors::fill(const std::string& view) const {
  const auto at = std::ranges::find(order_, view) - order_.begin();
  return view_fill(static_cast<std::size_t>(at));
}

bool ViewColors::is_own(const std::string& view) const { return fill(view) != others_fill; }

Figure view_shares(const std::vector<Run>& runs, const ViewColors& colors) {
  if (runs.size() < 2 || colors.order().size() < 2) return {};
  std::vector<Stack> stacks;
  std::string csv = csv_line({"method", "view", "share"});
  for (const Run& run : runs) {
    std::map<std::string, double> shares;
    for (const Weight& w : run.weights) shares[w.view] += w.share_in_view;
    Stack stack{run.name, {}, "every weight is zero"};
    double others = 0.0;
    for (const std::string& view : colors.order()) {
      if (shares[view] <= 0.0) continue;
      csv += csv_line({run.name, view, precise(shares[view])});
      if (colors.is_own(view)) {
        stack.parts.push_back({view, shares[view], colors.fill(view)});
      } else {
        others += shares[view];
      }
    }
    if (others > 0.0) stack.parts.push_back({"other views", others, others_fill});
    stacks.push_back(std::move(stack));
  }
  std::vector<Part> keys;
  for (const std::string& view : colors.order()) {
    if (colors.is_own(view)) keys.push_back({view, 0.0, colors.fill(view)});
  }
  const std::size_t rest = colors.order().size() - keys.size();
  if (rest > 0) keys.push_back({fmt::format("{} other views", rest), 0.0, others_fill});
  return {{draw_stacks("Share of the weight by view",
                       "One bar for each method; its parts are the views' shares of the weights.",
                       stacks, keys)},
          "Shares of the views in the sum of the kernel weights of each method.",
          csv};
}

Figure kernel_weights(const Run& run, const ViewColors& colors) {
  if (run.weights.empty() || run.kernels_used() == 0) return {};
  Figure figure;
  const std::string views = chart_of_views(run, colors);
  if (!views.empty()) figure.charts.push_back(views);
  const std::size_t used = run.kernels_used();
  std::string kernels;
  if (!run.has_equal_weights()) {
    figure.charts.push_back(chart_of_kernels(run, colors));
    kernels = used > shown_kernels
                  ? fmt::format(" The {} largest of {} weights are drawn.", shown_kernels, used)
                  : fmt::format(" Weights that are not zero: {}, all of them drawn.", used);
    if (colors.order().size() > distinct_colors) {
      kernels +=
          fmt::format(" The {} largest views have a colour, all others are grey.", distinct_colors);
    }
  }
  figure.caption = fmt::format(
      "Weights of {}: shares of the sum of the weights of normalised kernels; kernels have the "
      "colour of their view.{}{}{}",
      escape(run.name), kernels, views.empty() ? "" : sentence_of_identities(run),
      sentence_of_stability(run.stability));
  figure.data = weights_csv(run);
  return figure;
}

std::string weight_table(const Run& run) {
  if (run.weights.empty()) return "<p class=\"empty\">No kernel weights were recorded.</p>\n";
  if (run.kernels_used() == 0) return "<p>Every kernel weight is zero.</p>\n";
  if (run.has_equal_weights()) {
    return fmt::format("<p>All {} kernels have the same weight, {}.</p>\n", run.weights.size(),
                       number(run.weights.front().weight));
  }
  const auto kernels = used_kernels(run);
  std::string rows;
  for (std::size_t k = 0; k < std::min(kernels.size(), table_kernels); ++k) {
    rows += table_row(*kernels[k], run.stability);
  }
  const std::string rest =
      kernels.size() > table_kernels
          ? fmt::format("<p class=\"note\">{} smaller weights are in the CSV of the figure.</p>\n",
                        kernels.size() - table_kernels)
          : "";
  return fmt::format(
      "<details class=\"screen\"><summary>Table of all weights that are not zero: {}</summary>\n"
      "<table class=\"cards\"><thead><tr><th>kernel</th><th>view</th><th>weight</th><th>share</th>"
      "{}</tr></thead>\n<tbody>\n{}</tbody></table>\n{}</details>\n",
      kernels.size(), run.stability.known() ? "<th>chosen</th><th>interval</th>" : "", rows, rest);
}

}  // namespace kernmix::report
