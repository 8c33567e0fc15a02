#include "tune/nested_folds.hpp"

#include <fmt/format.h>

#include <map>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/pipeline.hpp"
#include "values.hpp"

namespace kernmix::cli {
namespace {

/// How samples are dealt: by groups, by classes, or by nothing.
struct Dealing {
  bool grouped = false;
  std::vector<Index> kinds;  ///< of each sample: its group or class; empty: there are none
};

Dealing dealing_of(const FoldArguments& a, const std::vector<std::string>& column,
                   const Dataset& data, const TrainOptions& options) {
  if (a.groups.empty()) return {false, classes_of(data.table, options)};
  Dealing dealing{true, {}};
  std::map<std::string, Index> numbers;
  for (const std::string& group : column) numbers.emplace(group, 0);
  Index next = 0;
  for (auto& [group, number] : numbers) number = next++;
  for (const std::string& group : column) dealing.kinds.push_back(numbers.at(group));
  return dealing;
}

/// Folds of some samples, as places in the whole data.
std::vector<Fold> dealt(const std::vector<Index>& samples, const Dealing& dealing,
                        const FoldOptions& asked) {
  const std::vector<Index> kinds = entries_at(dealing.kinds, samples);
  std::vector<Fold> folds = kinds.empty()     ? plain_folds(length(samples), asked)
                            : dealing.grouped ? grouped_folds(kinds, asked.folds)
                                              : stratified_folds(kinds, asked);
  for (Fold& fold : folds) {
    fold = {entries_at(samples, fold.train), entries_at(samples, fold.test)};
  }
  return folds;
}

}  // namespace

std::vector<NestedFold> nested_folds(Index outer, const FoldArguments& a,
                                     const std::vector<std::string>& column, const Dataset& data,
                                     const TrainOptions& options, const Context& context) {
  const Dealing dealing = dealing_of(a, column, data, options);
  FoldOptions asked{
      .folds = outer, .shuffle = !a.no_shuffle, .seed = static_cast<std::uint32_t>(context.seed)};
  std::vector<Index> all;
  for (Index i = 0; i < sample_count(data.table, data.matrices); ++i) all.push_back(i);
  std::vector<NestedFold> nested;
  try {
    for (Fold& fold : dealt(all, dealing, asked)) nested.push_back({std::move(fold), {}});
    asked.folds = whole_number("--folds", a.folds, 2);
    for (NestedFold& fold : nested) fold.inner = dealt(fold.outer.train, dealing, asked);
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("nested cross-validation: {}", error.what()));
  }
  return nested;
}

}  // namespace kernmix::cli
