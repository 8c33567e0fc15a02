#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>

#include "arrays.hpp"
#include "study_records.hpp"

namespace kernmix::python {
namespace {

using Names = std::vector<std::string>;

Records mean_records(const std::vector<MethodMean>& means, const Names& methods) {
  Records list;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    Record record;
    record["method"] = methods[m];
    record["mean"] = means[m].mean;
    record["sd"] = means[m].spread;
    record["values"] = array_of(Vector(means[m].values));
    list.append(record);
  }
  return list;
}

void add_signs(const SignCounts& signs, Record& record) {
  record["wins"] = signs.wins;
  record["ties"] = signs.ties;
  record["losses"] = signs.losses;
}

Records difference_records(const std::vector<MethodDifference>& differences, const Names& methods) {
  Records list;
  for (const MethodDifference& pair : differences) {
    Record record;
    record["first"] = methods[to_size(pair.first)];
    record["second"] = methods[to_size(pair.second)];
    record["mean"] = pair.test.mean;
    record["low"] = pair.test.low;
    record["high"] = pair.test.high;
    record["t"] = pair.test.t;
    record["p"] = pair.test.p;
    record["p_holm"] = pair.holm_p;
    add_signs(pair.signs, record);
    list.append(record);
  }
  return list;
}

Records pair_records(const std::vector<MethodPair>& pairs, const Names& methods) {
  Records list;
  for (const MethodPair& pair : pairs) {
    Record record;
    record["first"] = methods[to_size(pair.first)];
    record["second"] = methods[to_size(pair.second)];
    record["wilcoxon_p"] = pair.test.p;
    record["exact"] = pair.test.exact;
    record["p_holm"] = pair.holm_p;
    record["nemenyi_p"] = pair.nemenyi_p;
    add_signs(pair.signs, record);
    list.append(record);
  }
  return list;
}

nb::object friedman_record(const std::optional<FriedmanTest>& test) {
  if (!test) return nb::none();
  Record record;
  record["chi_squared"] = test->chi_squared;
  record["p"] = test->p;
  record["f"] = test->f;
  record["f_p"] = test->f_p;
  return record;
}

Record score_record(const ScoreSummary& score, const ComparisonSummary& summary) {
  Records data;
  for (std::size_t d = 0; d < summary.data.size(); ++d) {
    Record record;
    record["data"] = summary.data[d];
    record["methods"] = mean_records(score.means[d], summary.methods);
    record["differences"] = difference_records(score.differences[d], summary.methods);
    data.append(record);
  }
  Names ranked;
  for (const Index d : score.ranked) ranked.push_back(summary.data[to_size(d)]);
  Record record;
  record["score"] = score.rule.name;
  record["larger_is_better"] = score.rule.larger_is_better;
  record["data"] = data;
  record["ranked"] = ranked;
  record["average_ranks"] = array_of(Vector(score.average_ranks));
  record["friedman"] = friedman_record(score.friedman);
  record["critical_difference"] = score.critical_difference;
  record["pairs"] = pair_records(score.pairs, summary.methods);
  return record;
}

Record cell_record(const ComparedData& data, const ComparedSplit& split, std::size_t m,
                   const Names& scores) {
  const ComparedCell& cell = split.methods[m];
  const Candidate& chosen = data.methods[m].candidates[to_size(cell.candidate)];
  Record record;
  record["data"] = data.name;
  record["split"] = split.split;
  record["n_train"] = split.train;
  record["n_test"] = split.test;
  record["method"] = data.methods[m].name;
  record["chosen"] = chosen.name;
  record["regularizer"] = regularizer_text(chosen.options.regularizer);
  record["C"] = cost_of(chosen.options);
  for (std::size_t s = 0; s < scores.size(); ++s) record[scores[s].c_str()] = cell.scores[s];
  record["status"] = status_name(cell.status);
  record["relative_gap"] = cell.relative_gap;
  record["kernels_used"] = cell.kernels_used;
  record["kernels"] = cell.kernels;
  record["solve_seconds"] = cell.solve_seconds;
  record["choose_seconds"] = cell.choose_seconds;
  return record;
}

}  // namespace

Record comparison_record(const std::vector<ComparedData>& data, const ComparisonRules& rules,
                         const std::vector<ComparedSplit>& splits,
                         const std::vector<std::string>& split_rules,
                         std::vector<std::string> remarks) {
  const ComparisonSummary summary = summarize(data, rules, splits);
  std::ranges::move(comparison_remarks(data, splits, summary, {"allow more time", "tests()"}),
                    std::back_inserter(remarks));
  Records scores;
  for (const ScoreSummary& score : summary.scores) scores.append(score_record(score, summary));
  Records cells;
  for (const ComparedSplit& split : splits) {
    for (std::size_t m = 0; m < split.methods.size(); ++m) {
      cells.append(cell_record(data[to_size(split.data)], split, m, rules.scores));
    }
  }
  Record record;
  record["methods"] = summary.methods;
  record["data"] = summary.data;
  record["rules"] = split_rules;
  record["asked"] = summary.splits;
  record["finished"] = summary.finished;
  record["scores"] = scores;
  record["splits"] = cells;
  record["remarks"] = remarks;
  record["complete"] = summary.complete();
  return record;
}

}  // namespace kernmix::python
