// Demsar (2006), figure 1: average ranks on a line, the best on the left; a bar joins methods
// without a significant difference.

#include <fmt/format.h>

#include <algorithm>

#include "base/samples.hpp"
#include "compare/presentation.hpp"
#include "report/chart/svg.hpp"

namespace kernmix::cli {
namespace {

using report::Point;
using report::Svg;

constexpr double kLeft = 190.0;
constexpr double kLine = 360.0;  ///< length of the axis
constexpr double kAxis = 66.0;   ///< its distance from the top
constexpr double kGroupStep = 9.0;
constexpr double kNameStep = 19.0;

constexpr std::string_view kStyle =
    "<style>text{font:13px sans-serif;fill:#000}.tick{font-size:11px}"
    "line{stroke:#000;stroke-width:1}.group{stroke-width:4}svg{background:#fff}</style>\n";

/// Positions of ranks 1 to k.
struct RankAxis {
  double methods;
  [[nodiscard]] double at(double rank) const {
    return kLeft + kLine * (rank - 1.0) / std::max(1.0, methods - 1.0);
  }
};

void draw_rank_axis(Svg& svg, const RankAxis& axis) {
  svg.line({axis.at(1.0), kAxis}, {axis.at(axis.methods), kAxis}, "axis");
  const auto last = static_cast<int>(axis.methods);
  const int step = 1 + last / 15;
  for (int rank = 1; rank <= last; rank += step) {
    svg.line({axis.at(rank), kAxis - 6.0}, {axis.at(rank), kAxis}, "axis");
    svg.text({axis.at(rank), kAxis - 10.0}, fmt::format("{}", rank), "middle", "tick");
  }
}

void draw_difference(Svg& svg, const RankAxis& axis, double difference) {
  const double shown = std::min(difference, axis.methods - 1.0);
  const double from = axis.at(1.0);
  const double to = axis.at(1.0 + shown);
  svg.line({from, 26.0}, {to, 26.0}, "axis");
  for (const double x : {from, to}) svg.line({x, 22.0}, {x, 30.0}, "axis");
  const char* const more = shown < difference ? ", longer than the axis" : "";
  svg.text({from, 17.0}, fmt::format("critical difference {:.2f}{}", difference, more), "start",
           "tick");
}

/// The better half to the left, the best highest; the others to the right, the worst highest.
void draw_names(Svg& svg, const RankAxis& axis, const ScoreSummary& score,
                const std::vector<std::string>& methods, double top) {
  std::vector<Index> order = index_range(0, length(methods));
  std::ranges::stable_sort(order, {}, [&](Index m) { return score.average_ranks[to_size(m)]; });
  const std::size_t half = (order.size() + 1) / 2;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool left = i < half;
    const double row = static_cast<double>(left ? i : order.size() - 1 - i);
    const double y = top + kNameStep * row;
    const double rank = score.average_ranks[to_size(order[i])];
    const double x = axis.at(rank);
    const double end = left ? kLeft - 8.0 : kLeft + kLine + 8.0;
    svg.line({x, kAxis}, {x, y}, "axis");
    svg.line({x, y}, {end, y}, "axis");
    svg.text({left ? end - 4.0 : end + 4.0, y + 4.0},
             fmt::format("{} {:.2f}", methods[to_size(order[i])], rank), left ? "end" : "start",
             "name");
  }
}

}  // namespace

std::string critical_difference_svg(const ScoreSummary& score,
                                    const std::vector<std::string>& methods) {
  const RankAxis axis{static_cast<double>(methods.size())};
  const double difference = *score.critical_difference;
  const auto groups = groups_of_equals(score.average_ranks, difference);
  const double top = kAxis + 20.0 + kGroupStep * static_cast<double>(groups.size());
  const double height = top + kNameStep * static_cast<double>((methods.size() + 1) / 2) + 24.0;
  Svg svg(2.0 * kLeft + kLine, height, fmt::format("Average ranks of {}", score.rule.name),
          fmt::format("Average ranks of {} methods on {} data sets; bars join those that do not "
                      "differ (Nemenyi, 0.05).",
                      methods.size(), score.ranked.size()));
  draw_rank_axis(svg, axis);
  draw_difference(svg, axis, difference);
  draw_names(svg, axis, score, methods, top);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double y = kAxis + 8.0 + kGroupStep * static_cast<double>(g);
    const double from = axis.at(score.average_ranks[to_size(groups[g].front())]);
    const double to = axis.at(score.average_ranks[to_size(groups[g].back())]);
    svg.line({from - 3.0, y}, {to + 3.0, y}, "group");
  }
  svg.text({kLeft, height - 8.0},
           fmt::format("{} on {} data sets{}", score.rule.name, score.ranked.size(),
                       length(score.ranked) < fewest_ranked_data_sets
                           ? fmt::format(": too few for meaningful ranks")
                           : ""),
           "start", "tick");
  std::string text = svg.finish();
  const std::string_view after = "</desc>\n";
  text.insert(text.find(after) + after.size(), kStyle);
  return text;
}

}  // namespace kernmix::cli
