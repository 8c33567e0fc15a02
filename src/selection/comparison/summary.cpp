#include <algorithm>

#include "base/samples.hpp"
#include "folds/distinct_folds.hpp"
#include "kernmix/selection/comparison_summary.hpp"
#include "kernmix/selection/mean.hpp"

namespace kernmix {
namespace {

/// Those of a data set; of equal ones the first.
std::vector<const ComparedSplit*> different_splits(
    const ComparedData& data, const std::vector<const ComparedSplit*>& splits) {
  const std::vector<std::size_t> places = distinct_folds(data.splits);
  std::vector<const ComparedSplit*> different;
  for (const ComparedSplit* split : splits) {
    if (std::ranges::binary_search(places, to_size(split->split))) different.push_back(split);
  }
  return different;
}

/// The splits of one data set.
std::vector<const ComparedSplit*> splits_on(const std::vector<ComparedSplit>& splits, Index data) {
  std::vector<const ComparedSplit*> some;
  for (const ComparedSplit& split : splits) {
    if (split.data == data) some.push_back(&split);
  }
  return some;
}

void complete_mean(MethodMean& of) {
  const MeanAndSpread found = mean_and_spread(of.values);
  of.mean = found.mean;
  of.spread = found.spread;
}

bool all_have(const ComparedSplit& split, std::size_t score) {
  return std::ranges::all_of(
      split.methods, [score](const ComparedCell& cell) { return cell.scores[score].has_value(); });
}

/// n_test / n_train of a split, with sample weights.
double test_over_train_of(const ComparedData& data, const ComparedSplit& split) {
  const Vector& weights = data.methods.front().candidates.front().options.sample_weights;
  if (weights.empty()) return static_cast<double>(split.test) / static_cast<double>(split.train);
  const Fold& parts = data.splits[to_size(split.split)];
  return weight_of(parts.test, weights) / weight_of(parts.train, weights);
}

/// Means over the complete splits, and the mean of their n_test / n_train.
std::vector<MethodMean> means_on(const ComparedData& data,
                                 const std::vector<const ComparedSplit*>& splits, std::size_t score,
                                 double& test_over_train) {
  const std::size_t methods = data.methods.size();
  std::vector<MethodMean> means(methods);
  double count = 0.0;
  for (const ComparedSplit* split : splits) {
    if (!all_have(*split, score)) continue;
    count += 1.0;
    test_over_train += test_over_train_of(data, *split);
    for (std::size_t m = 0; m < methods; ++m) {
      means[m].values.push_back(*split->methods[m].scores[score]);
    }
  }
  if (count > 0.0) test_over_train /= count;
  for (MethodMean& mean : means) complete_mean(mean);
  return means;
}

/// holm_p of those that have a p.
void adjust(std::vector<MethodDifference>& differences) {
  Vector p;
  for (const MethodDifference& each : differences) {
    if (each.test.p) p.push_back(*each.test.p);
  }
  const Vector adjusted = holm(p);
  std::size_t next = 0;
  for (MethodDifference& each : differences) {
    if (each.test.p) each.holm_p = adjusted[next++];
  }
}

Vector comparable(ConstSpan scores, const ScoreRule& rule) {
  Vector values;
  for (const double score : scores) values.push_back(rule.comparable(score));
  return values;
}

std::vector<MethodDifference> differences_on(const std::vector<MethodMean>& means,
                                             double test_over_train, const ScoreRule& rule) {
  std::vector<MethodDifference> pairs;
  if (means.front().values.empty()) return pairs;
  for (std::size_t a = 0; a < means.size(); ++a) {
    for (std::size_t b = a + 1; b < means.size(); ++b) {
      MethodDifference pair{static_cast<Index>(a), static_cast<Index>(b), {}, {}, {}};
      pair.signs = sign_counts(comparable(means[a].values, rule), comparable(means[b].values, rule),
                               rule.larger_is_better);
      Vector apart;
      for (std::size_t i = 0; i < means[a].values.size(); ++i) {
        apart.push_back(rule.difference(means[a].values[i], means[b].values[i]));
      }
      pair.test = corrected_t_test(apart, test_over_train);
      pairs.push_back(pair);
    }
  }
  adjust(pairs);
  return pairs;
}

/// |ranked| x k means, rounded so that ranks, wins and signed ranks detect ties.
Matrix ranked_means(const ScoreSummary& summary, std::size_t methods) {
  Matrix scores(length(summary.ranked), static_cast<Index>(methods));
  for (Index i = 0; i < scores.rows; ++i) {
    const auto& row = summary.means[to_size(summary.ranked[to_size(i)])];
    for (Index m = 0; m < scores.cols; ++m) {
      scores(i, m) = summary.rule.comparable(*row[to_size(m)].mean);
    }
  }
  return scores;
}

std::vector<MethodPair> pairs_over(const Matrix& scores, const ScoreSummary& summary) {
  std::vector<MethodPair> pairs;
  Vector p;
  for (Index a = 0; a < scores.cols; ++a) {
    for (Index b = a + 1; b < scores.cols; ++b) {
      const Vector first = column_of(scores, a);
      const Vector second = column_of(scores, b);
      MethodPair pair{a,  b,   sign_counts(first, second, summary.rule.larger_is_better),
                      {}, 1.0, 1.0};
      Vector apart = first;
      for (std::size_t i = 0; i < apart.size(); ++i) apart[i] -= second[i];
      pair.test = signed_rank_test(apart);
      pair.nemenyi_p =
          nemenyi_p(summary.average_ranks[to_size(a)] - summary.average_ranks[to_size(b)],
                    scores.cols, scores.rows);
      p.push_back(pair.test.p);
      pairs.push_back(pair);
    }
  }
  const Vector adjusted = holm(p);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].holm_p = adjusted[i];
  return pairs;
}

void add_ranks(std::size_t methods, ScoreSummary& summary) {
  for (Index d = 0; d < length(summary.means); ++d) {
    if (summary.means[to_size(d)].front().mean) summary.ranked.push_back(d);
  }
  if (summary.ranked.empty()) return;
  const Matrix scores = ranked_means(summary, methods);
  const bool larger = summary.rule.larger_is_better;
  summary.average_ranks = average_ranks(scores, larger);
  summary.ranks = Matrix(scores.rows, scores.cols);
  for (Index i = 0; i < scores.rows; ++i) {
    std::ranges::copy(ranks(scores.row(i), larger), summary.ranks.row(i).begin());
  }
  if (scores.rows < 2 || scores.cols < 2) return;
  if (scores.cols > 2) summary.friedman = friedman_test(scores);
  summary.critical_difference = critical_difference(scores.cols, scores.rows);
  summary.pairs = pairs_over(scores, summary);
}

ScoreSummary summary_of(const std::vector<ComparedData>& data, const std::string& name,
                        std::size_t place, const std::vector<ComparedSplit>& splits) {
  ScoreSummary summary;
  summary.rule = score_rule(name);
  const std::size_t methods = data.front().methods.size();
  for (Index d = 0; d < length(data); ++d) {
    double test_over_train = 0.0;
    summary.means.push_back(means_on(data[to_size(d)],
                                     different_splits(data[to_size(d)], splits_on(splits, d)),
                                     place, test_over_train));
    summary.differences.push_back(
        differences_on(summary.means.back(), test_over_train, summary.rule));
  }
  add_ranks(methods, summary);
  return summary;
}

MethodCost cost_on(const std::vector<const ComparedSplit*>& splits, const ComparedMethod& method,
                   std::size_t place) {
  MethodCost cost;
  for (const ComparedSplit* split : splits) {
    const ComparedCell& cell = split->methods[place];
    cost.kernels = cell.kernels;
    cost.kernels_used += static_cast<double>(cell.kernels_used);
    cost.solve_seconds += cell.solve_seconds;
    cost.choose_seconds += cell.choose_seconds;
    cost.unconverged += cell.status == Status::converged ? 0 : 1;
    cost.inner_unconverged += cell.unconverged;
    cost.inner_fits += cell.fits;
    ++cost.choices[method.candidates[to_size(cell.candidate)].name];
  }
  const double n = std::max<double>(1.0, static_cast<double>(splits.size()));
  for (double* sum : {&cost.kernels_used, &cost.solve_seconds, &cost.choose_seconds}) *sum /= n;
  return cost;
}

}  // namespace

Index ScoreSummary::best_on(Index data) const {
  const auto& row = means[to_size(data)];
  Index best = -1;
  for (Index m = 0; m < length(row); ++m) {
    const auto& leader = best < 0 ? std::nullopt : row[to_size(best)].mean;
    if (rule.better(row[to_size(m)].mean, leader)) best = m;
  }
  return best;
}

ComparisonSummary summarize(const std::vector<ComparedData>& data, const ComparisonRules& rules,
                            const std::vector<ComparedSplit>& splits) {
  ComparisonSummary summary;
  for (const ComparedMethod& method : data.front().methods) summary.methods.push_back(method.name);
  for (Index d = 0; d < length(data); ++d) {
    const ComparedData& one = data[to_size(d)];
    const auto own = splits_on(splits, d);
    summary.data.push_back(one.name);
    summary.splits.push_back(length(one.splits));
    summary.finished.push_back(length(own));
    summary.costs.emplace_back();
    for (std::size_t m = 0; m < one.methods.size(); ++m) {
      summary.costs.back().push_back(cost_on(own, one.methods[m], m));
    }
  }
  for (std::size_t s = 0; s < rules.scores.size(); ++s) {
    summary.scores.push_back(summary_of(data, rules.scores[s], s, splits));
  }
  return summary;
}

std::vector<std::vector<Index>> groups_of_equals(ConstSpan average_ranks,
                                                 double critical_difference) {
  std::vector<Index> order = index_range(0, length(average_ranks));
  std::ranges::stable_sort(order, {}, [&](Index m) { return average_ranks[to_size(m)]; });
  std::vector<std::vector<Index>> groups;
  std::size_t last_end = 0;
  for (std::size_t first = 0; first < order.size(); ++first) {
    std::size_t end = first;
    while (end < order.size() &&
           average_ranks[to_size(order[end])] - average_ranks[to_size(order[first])] <=
               critical_difference) {
      ++end;
    }
    if (end - first > 1 && end > last_end) {
      groups.emplace_back(order.begin() + static_cast<Index>(first),
                          order.begin() + static_cast<Index>(end));
    }
    last_end = std::max(last_end, end);
  }
  return groups;
}

}  // namespace kernmix
