#include "compare/split_line.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <utility>

#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"

namespace kernmix::cli {
namespace {

constexpr Index kAnyCount = std::numeric_limits<Index>::max();

void write_cell(const ComparedCell& cell, RecordWriter& writer) {
  writer.whole(cell.candidate);
  for (const auto& score : cell.scores) writer.optional_number(score);
  writer.whole(static_cast<Index>(cell.status));
  writer.optional_number(cell.relative_gap);
  writer.whole(cell.kernels_used);
  writer.whole(cell.kernels);
  writer.number(cell.solve_seconds);
  writer.number(cell.choose_seconds);
  writer.whole(cell.fits);
  writer.whole(cell.unconverged);
}

/// The gap is at most twice the larger bound.
constexpr ScoreRange kRelativeGap = {.least = 0.0, .most = 2.0};

ComparedCell read_cell(RecordReader& reader, const ComparedData& data, const ComparedMethod& method,
                       const ComparisonSize& size) {
  const Index candidates = length(method.candidates);
  ComparedCell cell;
  cell.candidate = reader.whole("candidate", 0, candidates - 1);
  for (const ScoreRange& range : size.scores) {
    cell.scores.push_back(reader.optional_number("score", range));
  }
  cell.status =
      static_cast<Status>(reader.whole("status", 0, static_cast<Index>(Status::stopping_rule)));
  cell.relative_gap = reader.optional_number("relative gap", kRelativeGap)
                          .value_or(std::numeric_limits<double>::infinity());
  const Index kernels = size.kernels(data.data, method.candidates[to_size(cell.candidate)]);
  cell.kernels_used = reader.whole("kernels used", 0, kernels);
  cell.kernels = reader.whole("kernels", cell.kernels_used, kernels);
  cell.solve_seconds = reader.amount("seconds of solving");
  cell.choose_seconds = reader.amount("seconds of choosing");
  cell.fits = reader.whole("models", 0, candidates * size.inner_folds);
  cell.unconverged = reader.whole("unconverged models", 0, cell.fits);
  return cell;
}

ComparedSplit read_split(RecordReader& reader, const ComparisonSize& size) {
  ComparedSplit split;
  split.data = reader.whole("data set", 0, length(size.data) - 1);
  const ComparedData& own = size.data[to_size(split.data)];
  split.split = reader.whole("split", 0, length(own.splits) - 1);
  const Fold& fold = own.splits[to_size(split.split)];
  split.train = reader.whole("training samples", length(fold.train), length(fold.train));
  split.test = reader.whole("test samples", length(fold.test), length(fold.test));
  split.kernel_seconds = reader.amount("seconds of kernels");
  split.kernel_builds = reader.whole("kernel builds", 0, kAnyCount);
  for (const ComparedMethod& method : own.methods) {
    split.methods.push_back(read_cell(reader, own, method, size));
  }
  reader.end();
  return split;
}

}  // namespace

std::string split_fields(const ComparedSplit& split) {
  RecordWriter writer;
  for (const Index number : {split.data, split.split, split.train, split.test}) {
    writer.whole(number);
  }
  writer.number(split.kernel_seconds);
  writer.whole(split.kernel_builds);
  for (const ComparedCell& cell : split.methods) write_cell(cell, writer);
  return writer.fields();
}

ComparisonSize size_of_comparison(const std::vector<ComparedData>& data,
                                  const ComparisonRules& rules) {
  ComparisonSize size{data, {}, rules.inner_folds, [](const Dataset& own, const Candidate& chosen) {
                        return length(expand_kernels(own, chosen.options));
                      }};
  for (const std::string& score : rules.scores) size.scores.push_back(range_of_score(score));
  return size;
}

std::vector<ComparedSplit> splits_of_journal(const JournalText& journal,
                                             const ComparisonSize& size) {
  std::vector<ComparedSplit> splits;
  std::map<std::pair<Index, Index>, Index> lines;
  journal.read_each(kSplitRecord, [&](const JournalRecord& record, RecordReader& reader) {
    splits.push_back(read_split(reader, size));
    const std::pair place(splits.back().data, splits.back().split);
    const auto [known, is_new] = lines.try_emplace(place, record.line);
    if (!is_new) throw DataError(fmt::format("repeats line {}", known->second));
  });
  return splits;
}

}  // namespace kernmix::cli
