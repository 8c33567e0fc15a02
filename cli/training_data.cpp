#include "training_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/arrays/array_file.hpp"
#include "data/arrays/array_matrices.hpp"
#include "data/arrays/array_place.hpp"
#include "data/column_places.hpp"
#include "data/csv/label_spelling.hpp"
#include "data/names/row_ids.hpp"
#include "data/number.hpp"
#include "findings.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "labels_file.hpp"
#include "model/absence/presence.hpp"
#include "model/pipeline.hpp"
#include "model/thresholds/folds.hpp"
#include "options.hpp"
#include "output.hpp"
#include "study/text.hpp"

namespace kernmix::cli {
namespace {

/// Removes the column `name` from the table: it has weights and is not a feature.
Vector take_column(Table& table, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end()) {
    throw ParameterError(fmt::format("--sample-weight: {} has no column {}{}", table.source,
                                     kernmix::in_quotes(name), did_you_mean(name, table.columns)));
  }
  return kernmix::take_columns(table, {found - table.columns.begin()}).values;
}

/// Removes samples of weight 0.
void leave_out_weightless(const TrainArguments& a, const FoldArguments& folds, Dataset& data,
                          TrainOptions& options) {
  const std::vector<Index> kept =
      samples_that_count(data.table, a.sample_weight, options.sample_weights);
  const std::size_t all = options.sample_weights.size();
  if (kept.size() == all) return;
  const std::string option = option_of_all_samples(folds);
  if (!option.empty()) {
    throw ParameterError(fmt::format(
        "--sample-weight: {} samples have the weight 0, but {} includes them: remove their rows "
        "from the files",
        all - kept.size(), option));
  }
  data = only_samples(data, kept);
  name_by_rows(data.table, kept);
  options.sample_weights = entries_at(options.sample_weights, kept);
  options.groups = entries_at(options.groups, kept);
  say_weightless(all, kept.size(), a.common);
}

/// Notes groups that look alike.
void note_spellings(const std::vector<std::string>& names, const SpelledThings& things,
                    const std::string& column, Table& table) {
  const std::string note = spellings_of(names, things, column);
  if (!note.empty()) table.notes.push_back(fmt::format("{}: {}", table.source, note));
}

/// Determines the inlier label of a novelty detector from all samples, because a fold may have only
/// one class.
void settle_inliers(const TrainArguments& a, const TrainOptions& options, Table& table) {
  const bool novelty = loss_target(options.loss) == Target::none;
  if (!a.data.takes_inlier || (!novelty && a.data.inlier.empty())) return;
  const auto found = NoveltyLabels::find(table.labels, a.data.inlier);
  if (!found) return;
  table.inlier = found->classes.positive;
  if (found->guessed && !a.common.quiet) {
    write_message(fmt::format("kernmix: {}: {}\n", table.source, guessed_inliers(found->classes)));
  }
}

/// With one view an empty row has missing cells. Standard input is read once, and its missing cells
/// are refused as they are read, unless there are more views.
bool may_lack_views(const TrainArguments& a) {
  const bool again = std::ranges::find(a.data.files, "-") == a.data.files.end();
  return again || a.views.size() > 1 || !a.data.sets.empty() || a.data.files.size() > 1 ||
         !a.data.grams.empty() || !a.data.distances.empty();
}

/// Reads the files again, whose reader says all about missing cells, unless some of them are those
/// of absent views.
void refuse_missing_cells(const Dataset& data, const TrainArguments& a, ReadOptions reading) {
  const bool once = std::ranges::find(a.data.files, "-") != a.data.files.end();
  if (!reading.keep_missing || once || data.table.sparse || !incomplete_views(data).empty()) return;
  const ConstMatrix numbers = data.table.numbers();
  for (Index i = 0; i < numbers.rows; ++i) {
    const auto is_missing = [](double value) { return std::isnan(value); };
    if (std::ranges::none_of(numbers.row(i), is_missing)) continue;
    reading.keep_missing = false;
    (void)read_table(a.data.files, reading);
    return;
  }
}

/// The problems of a file beside missing cells are said together with these, if they are refused.
Table read_training_table(const TrainArguments& a, MissingRule missing, ReadOptions reading) {
  try {
    return read_table(a.data.files, reading);
  } catch (const DataError&) {
    const bool once = std::ranges::find(a.data.files, "-") != a.data.files.end();
    if (once || missing != MissingRule::refuse) throw;
    reading.keep_missing = false;
    return read_table(a.data.files, reading);
  }
}

/// How many samples have each view, once for views of the same samples.
void say_presence(const std::vector<Presence>& incomplete, Index n) {
  constexpr std::size_t shown_views = 5;
  std::map<std::vector<Index>, std::vector<std::string>> views;
  for (const Presence& own : incomplete) views[own.present->samples()].push_back(own.view.name);
  for (const auto& [samples, names] : views) {
    write_message(fmt::format("kernmix: {} of {} samples {} view{} {}\n", samples.size(), n,
                              samples.size() == 1 ? "has" : "have", names.size() == 1 ? "" : "s",
                              listed(names, shown_views)));
  }
}

/// Says how many samples have each view, and leaves those out that lack one if this is asked for.
void settle_absence(const TrainArguments& a, const FoldArguments& folds, Dataset& data,
                    TrainOptions& options) {
  if (options.absent != AbsentRule::drop) check_absence(data, options.absent);
  const std::vector<Presence> incomplete = incomplete_views(data);
  const Index n = sample_count(data.table, data.matrices);
  if (!a.common.quiet) say_presence(incomplete, n);
  if (incomplete.empty() || options.absent != AbsentRule::drop) return;
  const std::vector<Index> kept = samples_with_all_views(data);
  const std::string option = option_of_all_samples(folds);
  if (!option.empty()) {
    throw ParameterError(fmt::format(
        "--absent drop: {} samples lack a view, but {} includes them: remove their rows from the "
        "files",
        n - length(kept), option));
  }
  if (!a.common.quiet) {
    write_message(fmt::format("kernmix: {} of {} samples lack a view and are left out\n",
                              n - length(kept), n));
  }
  data = complete_part(data, kept);
  name_by_rows(data.table, kept);
  options.sample_weights = entries_at(options.sample_weights, kept);
  options.groups = entries_at(options.groups, kept);
}

/// The views of --view and --sets, or the default views; what the sets lack becomes a note.
SetViews choose_views(const TrainArguments& a, Table& table, const Context& context) {
  if (table.columns.empty() && !a.data.sets.empty()) {
    throw ParameterError("--sets makes views of columns, and there is no DATA with columns");
  }
  SetViews found = resolve_views(a.views, read_all_sets(a.data, context), table);
  if (a.data.sets.empty()) return found;
  std::ranges::move(found.warnings, std::back_inserter(table.notes));
  if (found.unused > 0) table.notes.push_back(unused_columns_text(table, found));
  return found;
}

/// Nearly distinct labels are not classes: with many of them, three samples each are too few.
void refuse_numbers(const Table& table) {
  constexpr std::size_t few = 20;
  const std::set<std::string> different(table.labels.begin(), table.labels.end());
  const std::size_t samples = different.size() > few ? 3 : 2;  // each, on average
  if (samples * different.size() <= table.labels.size()) return;
  const auto is_word = [](const std::string& label) { return !parse_number(label); };
  const auto word = std::ranges::find_if(table.labels, is_word);
  if (word != table.labels.end()) {
    throw DataError(fmt::format(
        "{}: {} samples have {} different labels, such as {}; if the column names samples or "
        "patients, give another one with --label; --multiclass one-vs-rest makes classes of them",
        table.source, table.labels.size(), different.size(), kernmix::in_quotes(*word)));
  }
  throw DataError(
      fmt::format("{}: {} samples have {} different labels; are these numbers to predict (--loss "
                  "squared)? --multiclass one-vs-rest makes classes of them",
                  table.source, table.labels.size(), different.size()));
}

/// A file of arrays may hold kernel matrices beside the labels that were read.
void require_some_view(const TrainArguments& a, const Dataset& data, const Context& context) {
  if (!data.views.empty() || !data.matrices.empty()) return;
  for (const std::string& text : a.data.files) {
    const std::string file = file_place(text).file;
    if (!holds_arrays(file)) continue;
    const std::string stack = stack_in_file(file, context);
    const std::string unread =
        stack.empty() ? unread_matrices_text(*open_arrays(file, context)) : "";
    if (!unread.empty()) {
      throw DataError(fmt::format("{}: no view is read from this file: {}", file, unread));
    }
    if (stack.empty()) continue;
    throw DataError(
        fmt::format("{}: no view is read from this file; give its kernel matrices with --gram {}",
                    file, shell_word(stack)));
  }
}

}  // namespace

void require_files(bool given) {
  require(given, "DATA", "name at least one file with samples and their labels");
}

void require_data(const DataArguments& data) {
  require_files(!data.files.empty() || !data.grams.empty());
}

std::vector<Index> samples_that_count(const Table& table, const std::string& column,
                                      ConstSpan weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::isfinite(weights[i]) && weights[i] >= 0.0) continue;
    throw DataError(fmt::format(
        "{}: the weight of sample {} in column {} is {}; weights are numbers >= 0", table.source,
        sample_name(table, static_cast<Index>(i)), in_quotes(column), weights[i]));
  }
  std::vector<Index> kept = samples_with_weight(weights);
  if (!kept.empty()) return kept;
  throw DataError(fmt::format("{}: every sample has the weight 0 in column {}", table.source,
                              in_quotes(column)));
}

Vector read_weights(const std::string& column, const DataArguments& files, const Table& table,
                    const Context& context) {
  Vector weights;
  const SampleTexts read = read_texts("--sample-weight", "weight", column, files, context);
  for (const std::string& text : texts_of(read, table)) {
    const auto weight = parse_number(text);
    if (!weight) {
      throw DataError(fmt::format(
          "--sample-weight: the weight of sample {} in column {} is {}; weights are numbers >= 0",
          weights.size() + 1, kernmix::in_quotes(column), kernmix::in_quotes(text)));
    }
    weights.push_back(*weight);
  }
  return weights;
}

void say_weightless(std::size_t all, std::size_t kept, const CommonArguments& common) {
  if (kept == all || common.quiet) return;
  write_message(
      fmt::format("{} of {} samples have the weight 0 and are left out\n", all - kept, all));
}

Dataset read_training_data(const TrainArguments& a, const Context& context, TrainOptions& options,
                           const FoldArguments& folds, std::vector<SetSize>* sizes) {
  Dataset data;
  const SampleTexts groups = read_groups(folds, a.data, context);  // rejects a missing column
  const std::vector<std::string> left_out = fold_columns(folds);
  ReadOptions reading = read_options(a.data, context);
  reading.ignore.insert(reading.ignore.end(), left_out.begin(), left_out.end());
  reading.keep_missing = options.missing != MissingRule::refuse || may_lack_views(a);
  reading.keep_absent = options.absent != AbsentRule::drop;
  std::vector<std::string> used = reading.ignore;
  if (!a.sample_weight.empty()) used.push_back(a.sample_weight);
  const LabelsFiles labels_only = files_of_labels_only(a, reading, options.kernels, used);
  reading.ignore.insert(reading.ignore.end(), labels_only.columns.begin(),
                        labels_only.columns.end());
  if (!a.data.files.empty()) data.table = read_training_table(a, options.missing, reading);
  if (!folds.groups.empty()) {
    const std::vector<std::string> names = texts_of(groups, data.table);
    options.groups = numbers_of_names(names);
    note_spellings(names, spelled_groups, folds.groups, data.table);
  }
  if (!a.sample_weight.empty()) {
    // Columns of obs in an AnnData file are no columns of the table.
    const auto is_of_arrays = [](const std::string& text) {
      return holds_arrays(file_place(text).file);
    };
    const std::vector<std::string>& columns = data.table.columns;
    const bool listed = std::ranges::find(columns, a.sample_weight) != columns.end();
    options.sample_weights = listed || std::ranges::none_of(a.data.files, is_of_arrays)
                                 ? take_column(data.table, a.sample_weight)
                                 : read_weights(a.sample_weight, a.data, data.table, context);
  }
  if (options.missing == MissingRule::refuse &&
      std::ranges::any_of(options.sample_weights, [](double w) { return std::isnan(w); })) {
    reading.keep_missing = false;  // a missing weight is refused by its line
    (void)read_training_table(a, options.missing, reading);
  }
  if (!data.table.columns.empty() || !a.views.empty() || !a.data.sets.empty()) {
    SetViews found = choose_views(a, data.table, context);
    data.views = std::move(found.views);
    leave_out_views(labels_only, data.table, data.views);
    if (sizes != nullptr) *sizes = std::move(found.sizes);
  }
  if (const std::string text = no_features_text(labels_only); !text.empty()) {
    data.table.notes.push_back(fmt::format("{}: {}", data.table.source, text));
  }
  add_matrices(a.data, context, data);
  require_some_view(a, data, context);
  join_training_matrices(data, options.landmarks, context);
  settle_inliers(a, options, data.table);
  if (options.missing == MissingRule::refuse) refuse_missing_cells(data, a, reading);
  say_of_reading(data.table, a.common);
  settle_absence(a, folds, data, options);
  if (!a.sample_weight.empty()) leave_out_weightless(a, folds, data, options);
  make_indicators(data, options.missing, context);
  return data;
}

void copy_of_samples(const TrainOptions& from, TrainOptions& to) {
  to.sample_weights = from.sample_weights;
  to.groups = from.groups;
}

void check_inlier(const TrainArguments& a, const TrainOptions& options) {
  if (a.data.inlier.empty() || loss_target(options.loss) == Target::none) return;
  throw ParameterError(
      fmt::format("--inlier: the loss {} learns from targets and does not detect novelties; use "
                  "--loss one-class or svdd",
                  loss_text(options.loss)));
}

void complete_options(const Dataset& data, TrainOptions& options, const TrainOptions* known) {
  const TaskScheme scheme = training_scheme(data.table, options);
  const bool classes = scheme == TaskScheme::one_vs_rest || scheme == TaskScheme::joint;
  if (classes && !options.scheme) refuse_numbers(data.table);
  const bool known_kernels = known != nullptr && share_kernels(*known, options);
  if (!known_kernels) (void)expand_kernels(data, options);
}

}  // namespace kernmix::cli
