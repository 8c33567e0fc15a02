#include "paired_scores.hpp"

#include <fmt/format.h>

#include "base/samples.hpp"
#include "kernmix/selection/statistics.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

struct Pair {
  std::string name;
  CorrectedTTest test;
  std::optional<double> holm;
};

double test_over_train(const std::vector<Fold>& folds, ConstSpan weights) {
  double tested = 0.0;
  double trained = 0.0;
  for (const Fold& fold : folds) {
    tested += weight_of(fold.test, weights);
    trained += weight_of(fold.train, weights);
  }
  return tested / trained;
}

std::vector<Pair> pairs_of(const CrossValidation& result, const std::vector<Variant>& variants,
                           const std::vector<Fold>& folds, const std::string& score) {
  const double ratio = test_over_train(folds, variants.front().options.sample_weights);
  std::vector<Pair> pairs;
  Vector known;
  for (Index k = 1; k < length(variants); ++k) {
    const Vector differences = result.differences(k, 0, score, folds);
    Pair pair{variants[to_size(k)].name, {}, {}};
    if (!differences.empty()) pair.test = corrected_t_test(differences, ratio);
    if (pair.test.p) known.push_back(*pair.test.p);
    pairs.push_back(std::move(pair));
  }
  const Vector adjusted = known.empty() ? Vector() : holm(known);
  std::size_t next = 0;
  for (Pair& pair : pairs) {
    if (pair.test.p) pair.holm = adjusted[next++];
  }
  return pairs;
}

std::string cell(const std::optional<double>& value, const char* unknown) {
  return value ? fmt::format("{:.3g}", *value) : unknown;
}

}  // namespace

std::string paired_table(const CrossValidation& result, const std::vector<Variant>& variants,
                         const std::vector<Fold>& folds, const std::string& score) {
  std::vector<Row> rows = {
      {score + " minus that of " + variants.front().name, "mean", "low", "high", "p", "p (Holm)"}};
  for (const Pair& pair : pairs_of(result, variants, folds, score)) {
    rows.push_back({pair.name, fmt::format("{:.4f}", pair.test.mean), cell(pair.test.low, "-"),
                    cell(pair.test.high, "-"), cell(pair.test.p, "-"), cell(pair.holm, "-")});
  }
  return aligned(rows, true) +
         "Corrected resampled t-test (Nadeau and Bengio 2003). A dash: all differences are "
         "equal.\n";
}

Json paired_json(const CrossValidation& result, const std::vector<Variant>& variants,
                 const std::vector<Fold>& folds, const std::string& score) {
  Json list = Json::array();
  for (const Pair& pair : pairs_of(result, variants, folds, score)) {
    list.push_back({{"model", pair.name},
                    {"against", variants.front().name},
                    {"score", score},
                    {"splits", pair.test.splits},
                    {"mean", pair.test.mean},
                    {"low", json_number(pair.test.low)},
                    {"high", json_number(pair.test.high)},
                    {"t", json_number(pair.test.t)},
                    {"p", json_number(pair.test.p)},
                    {"p_holm", json_number(pair.holm)}});
  }
  return list;
}

}  // namespace kernmix::cli
