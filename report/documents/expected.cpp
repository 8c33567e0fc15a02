#include "expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "json_evaluation.hpp"
#include "layout.hpp"
#include "metrics_table.hpp"

namespace kernmix::documents {
namespace {

/// Replaces averages of metrics of single classes by those of `expected`.
void set_averages(const Expected& expected, Json& document) {
  if (!document.contains("classwise")) return;
  for (Json& metric : document["classwise"]) {
    for (const char* average : {"micro", "macro", "weighted"}) {
      const Metric* const found =
          expected.find(fmt::format("{}_{}", average, metric["name"].get<std::string>()));
      if (found != nullptr) metric[average] = json_number(found->value);
    }
  }
}

}  // namespace

std::string expected_score(const Expected& expected, const std::string& score) {
  const Metric* const metric = expected.find(score);
  if (metric == nullptr || !metric->value) return "";
  if (!metric->low) return fmt::format("{} {:.4f}", score, *metric->value);
  return fmt::format("{} {:.4f} (95 % interval {:.4f} to {:.4f})", score, *metric->value,
                     *metric->low, *metric->high);
}

std::string interval_cell(const Metric& metric) {
  if (!metric.value) return "-";
  if (!metric.low) return fmt::format("{:.4f}", *metric.value);
  return fmt::format("{:.4f} ({:.4f} to {:.4f})", *metric.value, *metric.low, *metric.high);
}

bool is_shown(const std::string& metric) {
  for (const char* prefix : {"micro_", "weighted_"}) {
    if (metric.starts_with(prefix)) return false;
  }
  for (const char* ending : {"_11_point", "_interpolated", "_pr"}) {
    if (metric.ends_with(ending)) return false;
  }
  return true;
}

Json expected_json(const std::optional<Expected>& expected) {
  if (!expected) return nullptr;
  Json majority = nullptr;
  if (!expected->most_frequent.empty()) {
    majority = {{"class", expected->most_frequent}, {"share", expected->majority}};
  }
  return {{"meaning", expected_meaning},
          {"answer", answer_sentence(*expected)},
          {"n_samples", expected->samples},
          {"n_independent", expected->units},
          {"n_effective", json_number(expected->effective)},
          {"n_trained", expected->trained},
          {"majority", std::move(majority)},
          {"metrics", metrics_json(expected->metrics)},
          {"remarks", expected->remarks}};
}

Findings held_out_findings(const PooledPrediction& all, const std::vector<Fold>& folds,
                           const Expected& expected) {
  const PooledPrediction ranked = ranked_in_folds(all, folds);
  Findings findings =
      findings_of(ranked.learned, ranked.table, ranked.prediction, "", ranked.weights);
  findings.document["metrics"] = metrics_json(expected.metrics);
  findings.document["n_samples"] = expected.samples;
  findings.document["expected"] = expected_json(expected);
  set_averages(expected, findings.document);
  std::vector<Metric> shown;
  std::ranges::copy_if(expected.metrics, std::back_inserter(shown),
                       [](const Metric& metric) { return is_shown(metric.name); });
  findings.text = metrics_table(shown);
  for (const std::string& remark : expected.remarks) findings.text += wrapped(remark, 100) + "\n";
  return findings;
}

}  // namespace kernmix::documents
