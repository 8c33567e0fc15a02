#include "compare/split_line.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <utility>

#include "kernmix/error.hpp"

namespace kernmix::cli {
namespace {

constexpr Index kAnySplit = std::numeric_limits<Index>::max();

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

ComparedCell read_cell(RecordReader& reader, const ComparedMethod& method, Index scores) {
  ComparedCell cell;
  cell.candidate = reader.whole("candidate", 0, length(method.candidates) - 1);
  for (Index s = 0; s < scores; ++s) cell.scores.push_back(reader.optional_number("score"));
  cell.status =
      static_cast<Status>(reader.whole("status", 0, static_cast<Index>(Status::stopping_rule)));
  cell.relative_gap =
      reader.optional_number("relative gap").value_or(std::numeric_limits<double>::infinity());
  cell.kernels_used = reader.whole("kernels used", 0, kAnySplit);
  cell.kernels = reader.whole("kernels", cell.kernels_used, kAnySplit);
  cell.solve_seconds = reader.amount("seconds of solving");
  cell.choose_seconds = reader.amount("seconds of choosing");
  cell.fits = reader.whole("models", 0, kAnySplit);
  cell.unconverged = reader.whole("unconverged models", 0, cell.fits);
  return cell;
}

ComparedSplit read_split(RecordReader& reader, const std::vector<ComparedData>& data,
                         Index scores) {
  ComparedSplit split;
  split.data = reader.whole("data set", 0, length(data) - 1);
  const ComparedData& own = data[to_size(split.data)];
  split.split = reader.whole("split", 0, length(own.splits) - 1);
  const Fold& fold = own.splits[to_size(split.split)];
  split.train = reader.whole("training samples", length(fold.train), length(fold.train));
  split.test = reader.whole("test samples", length(fold.test), length(fold.test));
  split.kernel_seconds = reader.amount("seconds of kernels");
  split.kernel_builds = reader.whole("kernel builds", 0, kAnySplit);
  for (const ComparedMethod& method : own.methods) {
    split.methods.push_back(read_cell(reader, method, scores));
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

std::vector<ComparedSplit> splits_of_journal(const JournalText& journal,
                                             const std::vector<ComparedData>& data, Index scores) {
  std::vector<ComparedSplit> splits;
  std::map<std::pair<Index, Index>, Index> lines;
  journal.read_each(kSplitRecord, [&](const JournalRecord& record, RecordReader& reader) {
    splits.push_back(read_split(reader, data, scores));
    const std::pair place(splits.back().data, splits.back().split);
    const auto [known, is_new] = lines.try_emplace(place, record.line);
    if (!is_new) throw DataError(fmt::format("repeats line {}", known->second));
  });
  return splits;
}

}  // namespace kernmix::cli
