#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"

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
                            const std::vector<Index>& predicted) {
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
  ConfusionMatrix confusion{names, std::vector<Index>(names.size() * names.size())};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ++confusion.counts[to_size(truth[i] * classes + predicted[i])];
  }
  return confusion;
}

/// Mean recall of the classes that occur; interval by MOVER (Zou and Donner 2008), as for two.
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
  Confusion counts_of_class;
  for (Index truth = 0; truth < length(names); ++truth) {
    for (Index predicted = 0; predicted < length(names); ++predicted) {
      const Index count = (*this)(truth, predicted);
      if (truth == k) {
        (predicted == k ? counts_of_class.true_positive : counts_of_class.false_negative) += count;
      } else {
        (predicted == k ? counts_of_class.false_positive : counts_of_class.true_negative) += count;
      }
    }
  }
  return counts_of_class;
}

MulticlassEvaluation evaluate_classes(const std::vector<std::string>& names,
                                      const std::vector<Index>& truth,
                                      const std::vector<Index>& predicted, const Matrix& decision) {
  MulticlassEvaluation result;
  result.samples = length(truth);
  result.confusion = count_pairs(names, truth, predicted);
  std::vector<Confusion> counts;
  Index right = 0;
  for (Index k = 0; k < length(names); ++k) {
    counts.push_back(result.confusion.one_vs_rest(k));
    right += counts.back().true_positive;
  }
  result.metrics = {proportion("accuracy", right, result.samples), mean_recall(counts)};
  result.classwise = count_metrics(counts);
  if (decision.values.empty()) return result;
  const auto ranked = ranking_metrics(one_hot_signs(truth, length(names)), decision);
  result.classwise.insert(result.classwise.end(), ranked.begin(), ranked.end());
  return result;
}

}  // namespace kernmix
