#include "selection/expected/held_out.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/mean.hpp"
#include "base/ranks/ties.hpp"
#include "base/samples.hpp"
#include "kernmix/selection/expected.hpp"
#include "kernmix/selection/mean.hpp"
#include "model/targets.hpp"
#include "selection/expected/fold_precision.hpp"
#include "selection/rows.hpp"

namespace kernmix {
namespace {

/// Codes from 0 for the distinct values, in their order.
std::vector<Index> numbered(const std::vector<Index>& values) {
  const std::set<Index> different(values.begin(), values.end());
  std::vector<Index> numbers;
  for (const Index value : values) {
    numbers.push_back(std::distance(different.begin(), different.find(value)));
  }
  return numbers;
}

/// (r - 1/2) / n of the ascending ranks r among rows first .. last - 1, with mean ranks for ties; a
/// row has as many ranks as its weight.
void rank_column(Matrix& values, ConstSpan weights, Index column, Index first, Index last) {
  std::vector<Index> order = index_range(first, last);
  std::ranges::sort(order, {}, [&](Index i) { return values(i, column); });
  const double n = weight_of(order, weights);
  Vector shares(order.size());
  double below = 0.0;
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    double own = 0.0;
    for (; to < order.size() && tied(values(order[from], column), values(order[to], column));
         ++to) {
      own += weight_at(weights, to_size(order[to]));
    }
    std::fill(shares.begin() + static_cast<Index>(from), shares.begin() + static_cast<Index>(to),
              (below + 0.5 * own) / n);
    below += own;
    from = to;
  }
  for (std::size_t k = 0; k < order.size(); ++k) values(order[k], column) = shares[k];
}

/// Rows in ascending order, by their fold.
std::vector<std::vector<Index>> split_by_fold(const std::vector<Index>& rows,
                                              const std::vector<Index>& fold) {
  std::vector<std::vector<Index>> parts;
  Index last = -1;
  for (const Index row : rows) {
    if (fold[to_size(row)] != last) parts.emplace_back();
    last = fold[to_size(row)];
    parts.back().push_back(row);
  }
  return parts;
}

}  // namespace

Pooling pooling_of(const std::string& metric) {
  std::string plain = metric;
  for (const char* prefix : {"macro_", "weighted_"}) {
    if (plain.starts_with(prefix)) plain = plain.substr(std::string(prefix).size());
  }
  if (plain == "average_precision") return Pooling::above_chance_in_folds;
  const bool ranks = plain.starts_with("average_precision") || plain == "auc_pr";
  if (ranks) return Pooling::ranks_in_folds;
  const bool area = plain == "auc" || plain == "micro_auc" || plain == "micro_auc_pr" ||
                    plain.starts_with("micro_average_precision");
  return area ? Pooling::mean_of_folds : Pooling::together;
}

PooledPrediction ranked_in_folds(PooledPrediction all, const std::vector<Fold>& folds) {
  if (all.learned.target == Target::numbers) return all;
  Index first = 0;
  for (const Fold& fold : folds) {
    const Index last = first + length(fold.test);
    for (Index k = 0; k < all.prediction.decision.cols; ++k) {
      rank_column(all.prediction.decision, all.weights, k, first, last);
    }
    first = last;
  }
  return all;
}

HeldOutRows::HeldOutRows(PooledPrediction all, const std::vector<Fold>& folds,
                         std::vector<bool> ranks, const std::vector<Index>& groups)
    : ranks_(std::move(ranks)) {
  ranked_ = ranked_in_folds(all, folds).prediction;
  learned_ = std::move(all.learned);
  all_ = std::move(all.prediction);
  weight_ = std::move(all.weights);
  truth_ = truth_at(all.table, index_range(0, all_.decision.rows));
  std::vector<Index> sample;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    sample.insert(sample.end(), folds[f].test.begin(), folds[f].test.end());
    fold_.insert(fold_.end(), folds[f].test.size(), static_cast<Index>(f));
    most_tested_ = std::max(most_tested_, folds[f].test.size());
  }
  samples_ = static_cast<Index>(std::set<Index>(sample.begin(), sample.end()).size());
  unit_ = numbered(groups.empty() ? sample : entries_at(groups, sample));
  units_ = unit_.empty() ? 0 : 1 + std::ranges::max(unit_);
  set_signs();
}

void HeldOutRows::set_signs() {
  if (learned_.target != Target::classes) return;
  const TaskTargets targets =
      encode_targets(learned_.scheme, learned_.target, learned_.names, truth_, rows());
  signs_ = targets.values;
  if (learned_.of_labels() || learned_.single()) return;
  signs_ = Matrix(rows(), length(learned_.names));
  for (Index i = 0; i < rows(); ++i) {
    for (Index t = 0; t < signs_.cols; ++t) signs_(i, t) = targets.class_of(i) == t ? 1.0 : -1.0;
  }
}

HeldOutRows::Ranking HeldOutRows::ranking_of(Index task, const std::vector<Index>& rows) const {
  Ranking ranking{{}, {}, entries_at(weight_, rows), entries_at(unit_, rows)};
  for (const Index row : rows) {
    ranking.y.push_back(signs_(row, task));
    ranking.decision.push_back(all_.decision(row, task));
  }
  return ranking;
}

double HeldOutRows::positive_weight(Index task, const std::vector<Index>& rows) const {
  double sum = 0.0;
  for (const Index row : rows) sum += signs_(row, task) > 0.0 ? weight(row) : 0.0;
  return sum;
}

/// For several classes or labels the means over them, of equal weight or by their positive samples.
void HeldOutRows::add_average_precision(const std::vector<Index>& rows,
                                        const std::vector<std::vector<Index>>& folds,
                                        MetricValues& found) const {
  Vector values;
  Vector positives;
  const double all = weight_of(rows, weight_);
  for (Index t = 0; t < signs_.cols; ++t) {
    FoldPrecision precision;
    for (const std::vector<Index>& fold : folds) {
      const Ranking ranking = ranking_of(t, fold);
      precision.add({ranking.y, ranking.decision, ranking.weights, ranking.unit});
    }
    const double positive = positive_weight(t, rows);
    const auto value = precision.at(positive / all);
    if (!value) continue;
    values.push_back(*value);
    positives.push_back(positive);
  }
  if (values.empty()) return;
  if (learned_.single()) {
    found["average_precision"] = values.front();
    return;
  }
  found["macro_average_precision"] = mean_of_values(values);
  found["weighted_average_precision"] = mean_of_values(values, positives);
}

std::vector<Metric> HeldOutRows::metrics_of(const Prediction& from,
                                            const std::vector<Index>& rows) const {
  return scores(learned_, truth_at(truth_, rows), prediction_at(from, rows),
                entries_at(weight_, rows));
}

double HeldOutRows::effective_units(const std::vector<Index>& rows) const {
  std::map<Index, double> weights;
  for (const Index row : rows) weights[unit_[to_size(row)]] += weight(row);
  Vector sizes;
  for (const auto& [unit, size] : weights) sizes.push_back(size);
  return sizes.empty() ? 0.0 : effective_size(sizes);
}

MetricValues HeldOutRows::values(const std::vector<Index>& rows) const {
  MetricValues found;
  const auto take = [&](const std::vector<Metric>& metrics, Pooling pooling) {
    for (const Metric& metric : metrics) {
      if (metric.value && pooling_of(metric.name) == pooling) found[metric.name] = *metric.value;
    }
  };
  take(metrics_of(all_, rows), Pooling::together);
  if (!has_rankings() || learned_.target == Target::numbers) return found;
  std::vector<Index> ranking;
  std::ranges::copy_if(rows, std::back_inserter(ranking),
                       [&](Index i) { return ranks_[to_size(fold_[to_size(i)])]; });
  if (ranking.empty()) return found;
  take(metrics_of(ranked_, ranking), Pooling::ranks_in_folds);
  const std::vector<std::vector<Index>> folds = split_by_fold(ranking, fold_);
  add_average_precision(rows, folds, found);
  std::map<std::string, Vector> of_folds;
  for (const std::vector<Index>& fold : folds) {
    for (const Metric& metric : metrics_of(all_, fold)) {
      if (metric.value && pooling_of(metric.name) == Pooling::mean_of_folds) {
        of_folds[metric.name].push_back(*metric.value);
      }
    }
  }
  for (const auto& [name, values] : of_folds) found[name] = *mean_and_spread(values).mean;
  return found;
}

std::vector<std::string> HeldOutRows::names() const {
  std::vector<std::string> names;
  for (const Metric& metric : metrics_of(all_, index_range(0, rows()))) {
    names.push_back(metric.name);
  }
  return names;
}

}  // namespace kernmix
