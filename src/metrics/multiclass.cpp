#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "metrics/intervals.hpp"
#include "metrics/weights.hpp"

namespace kernmix {
namespace {

void check_codes(const std::vector<Index>& codes, Index classes) {
  const auto wrong = std::find_if(codes.begin(), codes.end(),
                                  [&](Index code) { return code < 0 || code >= classes; });
  if (wrong == codes.end()) return;
  throw ParameterError(fmt::format("sample {}: class {} is outside of 0 to {}",
                                   wrong - codes.begin() + 1, *wrong, classes - 1));
}

ConfusionMatrix count_pairs(const std::vector<std::string>& names, const std::vector<Index>& truth,
                            const std::vector<Index>& predicted, ConstSpan weights) {
  const Index classes = length(names);
  if (classes < 2) throw ParameterError("evaluation needs at least two classes");
  if (truth.empty() || truth.size() != predicted.size()) {
    throw ParameterError(
        fmt::format("evaluation needs one prediction for each of at least one sample, got {} "
                    "samples and {} predictions",
                    truth.size(), predicted.size()));
  }
  check_codes(truth, classes);
  check_codes(predicted, classes);
  require_weights(weights, truth.size());
  ConfusionMatrix confusion{names, Vector(names.size() * names.size(), 0.0)};
  if (!weights.empty()) confusion.squares = confusion.counts;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const std::size_t cell = to_size(truth[i] * classes + predicted[i]);
    confusion.counts[cell] += weight_at(weights, i);
    if (!weights.empty()) confusion.squares[cell] += squared(weights[i]);
  }
  return confusion;
}

/// Of counts, or of squares.
Confusion::Squares one_against_rest(ConstSpan cells, Index classes, Index k) {
  Confusion::Squares sums;
  for (Index truth = 0; truth < classes; ++truth) {
    for (Index predicted = 0; predicted < classes; ++predicted) {
      const double cell = cells[to_size(truth * classes + predicted)];
      if (truth == k) {
        (predicted == k ? sums.true_positive : sums.false_negative) += cell;
      } else {
        (predicted == k ? sums.false_positive : sums.true_negative) += cell;
      }
    }
  }
  return sums;
}

/// Share of correct predictions.
Metric accuracy(const ConfusionMatrix& confusion) {
  double right = 0.0;
  for (Index k = 0; k < length(confusion.names); ++k) right += confusion(k, k);
  const auto sum = [](const Vector& cells) {
    return std::accumulate(cells.begin(), cells.end(), 0.0);
  };
  return weighted_proportion("accuracy", right, sum(confusion.counts),
                             sum(confusion.squares.empty() ? confusion.counts : confusion.squares));
}

/// Mean recall of the classes that occur; interval by MOVER (Zou and Donner 2008), as for two
/// classes.
Metric mean_recall(const std::vector<Confusion>& counts) {
  double sum = 0.0;
  double down = 0.0;
  double up = 0.0;
  double occurring = 0.0;
  for (const Confusion& one : counts) {
    const Metric share = recall(one);
    if (!share.value) continue;
    occurring += 1.0;
    sum += *share.value;
    down = std::hypot(down, *share.value - *share.low);
    up = std::hypot(up, *share.high - *share.value);
  }
  const double value = sum / occurring;
  return {"balanced_accuracy", value, value - down / occurring, value + up / occurring};
}

/// n x K: +1 at the class of each sample, else -1.
Matrix one_hot_signs(const std::vector<Index>& codes, Index classes) {
  Matrix signs(length(codes), classes);
  std::fill(signs.values.begin(), signs.values.end(), -1.0);
  for (Index i = 0; i < signs.rows; ++i) signs(i, codes[to_size(i)]) = 1.0;
  return signs;
}

}  // namespace

Confusion ConfusionMatrix::one_vs_rest(Index k) const {
  const Confusion::Squares sums = one_against_rest(counts, length(names), k);
  Confusion of_class{
      sums.true_positive, sums.false_positive, sums.true_negative, sums.false_negative, {}};
  if (!squares.empty()) of_class.squares = one_against_rest(squares, length(names), k);
  return of_class;
}

MulticlassEvaluation evaluate_classes(const std::vector<std::string>& names,
                                      const std::vector<Index>& truth,
                                      const std::vector<Index>& predicted, const Matrix& decision,
                                      ConstSpan weights) {
  MulticlassEvaluation result;
  result.samples = length(truth);
  result.confusion = count_pairs(names, truth, predicted, weights);
  std::vector<Confusion> counts;
  for (Index k = 0; k < length(names); ++k) counts.push_back(result.confusion.one_vs_rest(k));
  result.metrics = {accuracy(result.confusion), mean_recall(counts)};
  result.classwise = count_metrics(counts);
  if (decision.values.empty()) return result;
  const auto ranked = ranking_metrics(one_hot_signs(truth, length(names)), decision, weights);
  result.classwise.insert(result.classwise.end(), ranked.begin(), ranked.end());
  return result;
}

}  // namespace kernmix
