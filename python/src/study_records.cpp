#include "study_records.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"

namespace kernmix::python {
namespace {

template <typename Share>
Record share_record(const Share& share) {
  Record record;
  record["view"] = share.view;
  record["share"] = share.share;
  record["least"] = share.least;
  record["most"] = share.most;
  return record;
}

}  // namespace

Records candidate_records(const std::vector<Candidate>& candidates, const Search& search) {
  Records list;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const TrainOptions& options = candidates[c].options;
    const SearchedCell& cell = search.cells[c];
    Record record;
    record["name"] = candidates[c].name;
    record["kernels"] = options.kernels;
    record["regularizer"] = regularizer_text(options.regularizer);
    record["C"] = cost_of(options);
    Record grid;
    for (const auto& [key, value] : candidates[c].numbers) grid[key.c_str()] = value;
    record["grid"] = grid;
    record["mean"] = cell.mean;
    record["sd"] = cell.spread;
    record["scores"] = cell.scores;
    record["abandoned"] = cell.abandoned;
    record["kernels_used"] = cell.kernels_used;
    list.append(record);
  }
  return list;
}

Records nested_records(const NestedSearch& nested) {
  Records list;
  for (const NestedScore& fold : nested.folds) {
    Record record;
    record["candidate"] = fold.candidate;
    record["score"] = fold.score;
    list.append(record);
  }
  return list;
}

Records metric_records(const std::vector<Metric>& metrics) {
  Records list;
  for (const Metric& metric : metrics) {
    Record record;
    record["name"] = metric.name;
    record["value"] = metric.value;
    record["low"] = metric.low;
    record["high"] = metric.high;
    list.append(record);
  }
  return list;
}

nb::object expected_record(const std::optional<Expected>& expected) {
  if (!expected) return nb::none();
  const bool classes = !expected->most_frequent.empty();
  Record record;
  record["answer"] = answer_sentence(*expected);
  record["samples"] = expected->samples;
  record["independent"] = expected->units;
  record["effective"] = expected->effective;
  record["trained"] = expected->trained;
  record["majority"] = expected->most_frequent;
  record["majority_share"] = classes ? std::optional(expected->majority) : std::nullopt;
  record["metrics"] = metric_records(expected->metrics);
  record["remarks"] = expected->remarks;
  return record;
}

nb::object held_out_record(const CrossValidation& winners, const std::vector<Fold>& folds,
                           bool known, const Dataset& data) {
  if (!known) return nb::none();
  std::optional<PooledPrediction> all = winners.pool(0, data, folds);
  if (!all) return nb::none();
  std::vector<Index> rows;
  std::vector<Index> fold_of_row;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    rows.insert(rows.end(), folds[f].test.begin(), folds[f].test.end());
    fold_of_row.insert(fold_of_row.end(), folds[f].test.size(), static_cast<Index>(f));
  }
  Record record;
  record["rows"] = rows;
  record["fold"] = fold_of_row;
  record["names"] = all->learned.names;
  record["winner"] = all->prediction.winner;
  record["has_label"] =
      std::vector<int>(all->prediction.has_label.begin(), all->prediction.has_label.end());
  record["decision"] = array_of(std::move(all->prediction.decision));
  record["probability"] = array_of(std::move(all->prediction.probability));
  return record;
}

Record tune_record(const TuneResult& found, const std::vector<Candidate>& candidates,
                   const Dataset& data) {
  const MeanAndSpread mean = nested_mean(found.nested, found.expected, found.score.name);
  Record record;
  record["candidates"] = candidate_records(candidates, found.search);
  record["chosen"] = *found.search.chosen;
  record["best"] = *found.search.best;
  record["score"] = found.score.name;
  record["larger_is_better"] = found.score.larger_is_better;
  record["folds"] = found.folds.rule;
  record["nested"] = nested_records(found.nested);
  record["nested_mean"] = mean.mean;
  record["nested_sd"] = mean.spread;
  record["expected"] = expected_record(found.expected);
  record["held_out"] = held_out_record(found.winners, outer_folds(found.nested_folds),
                                       found.expected.has_value(), data);
  record["remarks"] = found.remarks;
  record["warnings"] = warnings_of(found.warnings);
  record["complete"] = found.complete();
  return record;
}

Records share_records(const std::vector<ViewShare>& shares) {
  Records list;
  for (const ViewShare& share : shares) list.append(share_record(share));
  return list;
}

Records share_records(const std::vector<ColumnShare>& shares) {
  Records list;
  for (const ColumnShare& share : shares) {
    Record record = share_record(share);
    record["column"] = share.column;
    list.append(record);
  }
  return list;
}

}  // namespace kernmix::python
