#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chart/heat_map.hpp"
#include "chart/line_chart.hpp"
#include "figures.hpp"
#include "json_fields.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr std::size_t kMostWithText = 8;
constexpr double kAlike = 0.95;

struct SimilarityFindings {
  std::vector<std::string> kernels;
  std::vector<std::vector<double>> alignment;
  std::vector<double> spectrum;
  double samples = 0.0;

  /// Whether a stranger's file says one alignment for each pair.
  [[nodiscard]] bool known() const {
    const auto right = [&](const auto& row) { return row.size() == kernels.size(); };
    return !kernels.empty() && alignment.size() == kernels.size() &&
           std::ranges::all_of(alignment, right);
  }
};

SimilarityFindings read_similarity(const nlohmann::json& json) {
  SimilarityFindings found;
  found.kernels = read_texts(member(json, "kernels"));
  const nlohmann::json& rows = member(json, "alignment");
  if (rows.is_array()) {
    for (const nlohmann::json& row : rows) found.alignment.push_back(read_values(row));
  }
  found.spectrum = read_values(member(json, "spectrum"));
  found.samples = get_number(json, "n_samples").value_or(0.0);
  return found;
}

std::string draw_alignment(const SimilarityFindings& found) {
  HeatMap map;
  map.title = "Alignment of kernels";
  map.description = "One row and one column for each kernel; the darker the more alike.";
  map.longest_row = 34;
  map.show_text = found.kernels.size() <= kMostWithText;
  for (std::size_t k = 0; k < found.kernels.size(); ++k) {
    map.rows.push_back(fmt::format("{} {}", k + 1, found.kernels[k]));
    map.columns.push_back(fmt::format("{}", k + 1));
    std::vector<double>& row = map.shade.emplace_back();
    for (const double value : found.alignment[k]) row.push_back(std::max(0.0, value));
  }
  map.text = [&](std::size_t r, std::size_t c) {
    return fmt::format("{:.2f}", found.alignment[r][c]);
  };
  return draw_heat_map(map);
}

/// Eigenvalues that are a share of the sum worth drawing.
LineChart spectrum_chart(const SimilarityFindings& found) {
  LineChart chart;
  chart.title = "Spectrum of their weighted sum";
  chart.description = "Eigenvalues in descending order, on a logarithmic scale.";
  chart.x_label = "number";
  chart.y_label = "share of the trace";
  chart.log_y = true;
  chart.count_x = true;
  chart.legend = false;
  Series series{"eigenvalue", {}, {ink, ""}};
  for (std::size_t i = 0; i < found.spectrum.size(); ++i) {
    if (found.spectrum[i] < 1e-6) break;
    series.points.push_back({static_cast<double>(i + 1), found.spectrum[i]});
  }
  chart.series = {std::move(series)};
  return chart;
}

/// Pairs that hardly differ: how their weight divides between them means nothing.
std::string alike_sentence(const SimilarityFindings& found) {
  int pairs = 0;
  for (std::size_t k = 0; k < found.kernels.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) pairs += found.alignment[k][l] >= kAlike ? 1 : 0;
  }
  if (pairs == 0) return "";
  return fmt::format(
      " {} pair{} of kernels {} an alignment of {} or more: the division of weight between them is "
      "arbitrary.",
      pairs, pairs == 1 ? "" : "s", pairs == 1 ? "has" : "have", kAlike);
}

std::string which_kernels(const Run& run, std::size_t shown) {
  const std::size_t used = run.kernels_used();
  if (shown == used) return fmt::format("The {} kernels with a weight", used);
  return run.has_equal_weights()
             ? fmt::format("The first {} of {} kernels, whose weights are equal,", shown, used)
             : fmt::format("The {} kernels with the largest weights of {}", shown, used);
}

/// (sum of eigenvalues)^2 / sum of their squares
double directions(const std::vector<double>& spectrum) {
  double squares = 0.0;
  for (const double value : spectrum) squares += value * value;
  return squares > 0.0 ? 1.0 / squares : 0.0;
}

}  // namespace

Figure kernel_similarity(const Run& run) {
  const SimilarityFindings found = read_similarity(member(run.json, "similarity"));
  if (!found.known()) return {};
  Figure figure;
  if (found.kernels.size() > 1) figure.charts.push_back(draw_alignment(found));
  const LineChart spectrum = spectrum_chart(found);
  if (spectrum.series[0].points.size() > 1) figure.charts.push_back(draw(spectrum));
  figure.caption = fmt::format(
      "{} on {:.0f} samples: centred alignments (Cortes et al. 2012), 1 for proportional kernels, "
      "and the eigenvalues of their weighted sum, whose effective rank is about {:.1f}.{}",
      which_kernels(run, found.kernels.size()), found.samples, directions(found.spectrum),
      alike_sentence(found));
  figure.data =
      csv_table(found.kernels, found.kernels,
                [&](std::size_t r, std::size_t c) { return number(found.alignment[r][c]); }) +
      points_csv(spectrum);
  return figure;
}

}  // namespace kernmix::report
