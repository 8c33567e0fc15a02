#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernmix/paired_tests.hpp"
#include "kernmix/selection/statistics.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace kernmix::report {
namespace {

constexpr std::size_t all_pairs_up_to = 5;  ///< methods; of more each is tested against the first

/// One method on one set of samples.
struct ScoredCandidate {
  const Run* run;
  const Assessment* assessment;
};

struct PairedResult {
  std::string pair;
  std::string what;
  std::string difference;
  std::string test;
  double p;
};

/// Whether two evaluations are of the same samples, as far as files and truth can say.
bool same_samples(const Assessment& a, const Assessment& b) {
  return a.data == b.data && a.checksums == b.checksums && a.outcomes.truth == b.outcomes.truth &&
         a.predictions.truth == b.predictions.truth &&
         a.outcomes.truth.size() + a.predictions.truth.size() > 0;
}

/// Evaluations in groups of the same samples.
std::vector<std::vector<ScoredCandidate>> contests(const std::vector<Run>& runs) {
  std::vector<std::vector<ScoredCandidate>> groups;
  for (const Run& run : runs) {
    for (const Assessment& assessment : run.assessments) {
      const auto group = std::ranges::find_if(groups, [&](const auto& known) {
        return same_samples(*known.front().assessment, assessment);
      });
      if (group != groups.end()) {
        group->push_back({&run, &assessment});
      } else {
        groups.push_back({{&run, &assessment}});
      }
    }
  }
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

std::string pair_name(const ScoredCandidate& a, const ScoredCandidate& b) {
  return escape(a.run->name) + " &#8722; " + escape(b.run->name);
}

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100.0 * share); }

PairedResult compare_decisions(const ScoredCandidate& a, const ScoredCandidate& b) {
  const Outcomes& first = a.assessment->outcomes;
  const Outcomes& second = b.assessment->outcomes;
  Index only_first = 0;
  Index only_second = 0;
  for (std::size_t i = 0; i < first.truth.size(); ++i) {
    const bool right = first.predicted[i] == first.truth[i];
    const bool other = second.predicted[i] == second.truth[i];
    only_first += right && !other ? 1 : 0;
    only_second += other && !right ? 1 : 0;
  }
  const McNemarTest test = mcnemar_test(only_first, only_second);
  const double difference =
      static_cast<double>(only_first - only_second) / static_cast<double>(first.truth.size());
  return {pair_name(a, b), "accuracy", signed_percent(difference),
          fmt::format("McNemar, exact: {} against {} samples", only_first, only_second), test.p};
}

/// Absent where the samples say nothing of the difference.
std::optional<PairedResult> compare_areas(const ScoredCandidate& a, const ScoredCandidate& b) {
  Vector y;
  for (const bool positive : a.assessment->outcomes.positive) y.push_back(positive ? 1.0 : -1.0);
  const auto test = auc_test(y, a.assessment->outcomes.decision, b.assessment->outcomes.decision);
  if (!test) return std::nullopt;
  return PairedResult{pair_name(a, b), "AUC", fmt::format("{:+.4f}", test->difference),
                      fmt::format("DeLong: {:+.4f} to {:+.4f} with 95 %", test->low, test->high),
                      test->p};
}

PairedResult compare_numbers(const ScoredCandidate& a, const ScoredCandidate& b) {
  const Predictions& first = a.assessment->predictions;
  const Predictions& second = b.assessment->predictions;
  Vector differences;
  double sum = 0.0;
  for (std::size_t i = 0; i < first.truth.size(); ++i) {
    differences.push_back(std::abs(first.truth[i] - first.predicted[i]) -
                          std::abs(second.truth[i] - second.predicted[i]));
    sum += differences.back();
  }
  const SignedRankTest test = signed_rank_test(differences);
  return {pair_name(a, b), "absolute error",
          fmt::format("{:+.4g}", sum / static_cast<double>(differences.size())),
          fmt::format("Wilcoxon signed ranks, {} pairs", test.pairs), test.p};
}

void compare_pair(const ScoredCandidate& a, const ScoredCandidate& b,
                  std::vector<PairedResult>& results) {
  if (!a.assessment->predictions.truth.empty()) {
    results.push_back(compare_numbers(a, b));
    return;
  }
  results.push_back(compare_decisions(a, b));
  if (a.assessment->outcomes.positive.empty()) return;
  if (const auto areas = compare_areas(a, b)) results.push_back(*areas);
}

std::vector<PairedResult> compare_all(const std::vector<ScoredCandidate>& group) {
  std::vector<PairedResult> results;
  const std::size_t firsts = group.size() <= all_pairs_up_to ? group.size() : 1;
  for (std::size_t i = 0; i < firsts; ++i) {
    for (std::size_t j = i + 1; j < group.size(); ++j) compare_pair(group[i], group[j], results);
  }
  std::ranges::stable_sort(results, std::ranges::greater{}, &PairedResult::what);  // accuracy first
  return results;
}

/// Holm's adjustment among the tests of one quantity.
std::vector<double> adjusted(const std::vector<PairedResult>& results) {
  std::vector<double> all(results.size(), 1.0);
  std::vector<std::string> done;
  for (const PairedResult& result : results) {
    if (std::ranges::find(done, result.what) != done.end()) continue;
    done.push_back(result.what);
    Vector p;
    for (const PairedResult& other : results) {
      if (other.what == result.what) p.push_back(other.p);
    }
    const Vector corrected = holm(p);
    std::size_t next = 0;
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (results[k].what == result.what) all[k] = corrected[next++];
    }
  }
  return all;
}

std::string table_of(const std::vector<ScoredCandidate>& group) {
  const std::vector<PairedResult> results = compare_all(group);
  const std::vector<double> together = adjusted(results);
  std::string rows;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const PairedResult& r = results[k];
    rows += fmt::format(
        "<tr><th scope=\"row\">{}</th><td data-label=\"of\">{}</td><td "
        "data-label=\"difference\">{}</td><td data-label=\"test\">{}</td>"
        "<td data-label=\"p\">{}</td><td data-label=\"p (Holm)\">{}</td></tr>\n",
        r.pair, r.what, r.difference, r.test, number(r.p), number(together[k]));
  }
  const std::string some =
      group.size() > all_pairs_up_to
          ? fmt::format(" Of {} methods each is tested against the first.", group.size())
          : "";
  const bool any = std::ranges::any_of(together, [](double p) { return p < 0.05; });
  return fmt::format(
      "<table class=\"cards\"><thead><tr><th>methods</th><th>of</th><th>difference</th>"
      "<th>test</th><th>p</th><th>p (Holm)</th></tr></thead>\n<tbody>\n{}</tbody></table>\n"
      "<p class=\"note\">Paired tests on the same samples, {}; two-sided, adjusted by Holm&#39;s "
      "method over all pairs of one quantity. {} The tests account for these evaluation samples, "
      "but not for variation with the training data; for that use <code>kernmix cv</code>.{}</p>\n",
      rows, escape(group.front().assessment->data),
      any ? "Differences with an adjusted p below 0.05 are unlikely to be chance."
          : "No difference is significant at 5 %.",
      some);
}

}  // namespace

std::string paired_table(const std::vector<Run>& runs) {
  std::string tables;
  for (const auto& group : contests(runs)) tables += table_of(group);
  return tables.empty() ? "" : "<h3>Do the methods differ?</h3>\n" + tables;
}

}  // namespace kernmix::report
