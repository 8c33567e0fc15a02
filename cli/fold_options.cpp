#include "fold_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "layout.hpp"
#include "model/pipeline.hpp"
#include "model/settings/number_text.hpp"

namespace kernmix::cli {

void require_room_for_folds(const std::string& option, double folds, Index n,
                            const Context& context) {
  const double bytes = folds * (static_cast<double>(n) * sizeof(Index) + sizeof(Fold));
  if (context.memory_bytes == 0 || bytes <= static_cast<double>(context.memory_bytes)) return;
  throw ResourceError(fmt::format(
      "{}: {:.15g} folds of {} samples take {:.3g} MiB, and {:.3g} MiB of memory are allowed; ask "
      "for fewer, or allow more --memory",
      option, folds, n, bytes / 0x1p20, static_cast<double>(context.memory_bytes) / 0x1p20));
}

namespace {

std::optional<Index> index_of(std::string_view text) {
  Index value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The texts of a column, in the order of the samples. \param called  what one of them is
std::vector<std::string> read_texts(const std::string& option, const std::string& called,
                                    const std::string& column, DataArguments files,
                                    const Context& context) {
  require(!files.files.empty(), "DATA",
          fmt::format("{} names a column, give the file that has it", option));
  files.labels.clear();
  files.targets.clear();
  files.label = column;
  ReadOptions options = read_options(files, context);
  options.only = {column};
  options.label_called = called;
  try {
    return read_table(files.files, options).labels;
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", option, error.what()));
  }
}

/// Equal texts have equal numbers, from 0.
std::vector<Index> numbered(const std::vector<std::string>& texts) {
  std::map<std::string, Index> places;
  for (const std::string& text : texts) places[text] = 0;
  Index next = 0;
  for (auto& [text, place] : places) place = next++;
  std::vector<Index> numbers;
  for (const std::string& text : texts) numbers.push_back(places.at(text));
  return numbers;
}

/// Numbers as they are; other texts are numbered.
std::vector<Index> fold_numbers(const std::vector<std::string>& texts) {
  std::vector<Index> numbers;
  for (const std::string& text : texts) {
    const auto number = index_of(text);
    if (!number) return numbered(texts);
    numbers.push_back(*number);
  }
  return numbers;
}

[[noreturn]] void refuse_split(const std::string& file, Index line, const std::string& why) {
  throw DataError(fmt::format("{}:{}: {}", file, line, why));
}

/// A line of n digits, 1 where the sample trains and 0 where it is tested.
bool is_mask(const std::string& line, Index n) {
  return length(line) == n && n > 1 && line.find_first_not_of("01") == std::string::npos;
}

Fold split_of_line(const std::string& file, Index number, const std::string& line, Index n) {
  std::vector<bool> tested(to_size(n), false);
  if (is_mask(line, n)) {
    for (Index i = 0; i < n; ++i) tested[to_size(i)] = line[to_size(i)] == '0';
  } else {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const auto sample = index_of(word);
      if (!sample || *sample < 1 || *sample > n) {
        refuse_split(file, number,
                     fmt::format("{} is no sample; a split is a line of the numbers (1 to {}) of "
                                 "the samples to test, or of {} digits, 1 to train and 0 to test",
                                 in_quotes(word), n, n));
      }
      tested[to_size(*sample - 1)] = true;
    }
  }
  Fold fold;
  for (Index i = 0; i < n; ++i) (tested[to_size(i)] ? fold.test : fold.train).push_back(i);
  if (fold.test.empty()) refuse_split(file, number, "the split tests no sample");
  if (fold.train.empty()) refuse_split(file, number, "the split leaves no sample to train on");
  return fold;
}

std::vector<Fold> read_splits(const std::string& file, Index n, const Context& context) {
  std::istringstream text(read_file(file, context));
  std::vector<Fold> folds;
  Index number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const std::string trimmed(trim(line));
    if (trimmed.empty()) continue;
    stop_reading_if_asked(file, context);
    require_room_for_folds("--split-file", static_cast<double>(folds.size() + 1), n, context);
    folds.push_back(split_of_line(file, number, trimmed, n));
  }
  if (folds.empty()) throw DataError(fmt::format("{}: has no line that says a split", file));
  return folds;
}

std::string rule_text(const FoldOptions& asked, const std::string& kind) {
  const std::string repeats =
      asked.repeats > 1 ? fmt::format("{} times ", asked.repeats) : std::string();
  const std::string order =
      asked.shuffle ? fmt::format("shuffled with seed {}", asked.seed) : "in the order of the data";
  return fmt::format("{}{} folds{}, {}", repeats, asked.folds, kind, order);
}

/// Of classes that have fewer samples than there are folds: some folds test none of them.
std::vector<std::string> warnings_of(const std::vector<Index>& classes, const Table& table,
                                     Index folds) {
  std::map<Index, std::pair<std::string, Index>> counts;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    auto& [name, count] = counts[classes[i]];
    name = table.labels[i];
    ++count;
  }
  std::vector<std::string> small;
  for (const auto& [k, own] : counts) {
    if (own.second < folds) small.push_back(fmt::format("{} ({})", own.first, own.second));
  }
  if (small.empty()) return {};
  return {
      fmt::format("fewer samples than the {} folds in {}: some folds test none of them and "
                  "scores of these classes come from the others; ask for fewer --folds",
                  folds, listed(small, 5))};
}

std::string fold_list(const std::vector<Index>& folds) {
  std::vector<std::string> numbers;
  for (const Index f : folds) numbers.push_back(fmt::format("{}", f + 1));
  return fmt::format("fold{} {}", folds.size() == 1 ? "" : "s", listed(numbers, 5));
}

/// Classes that some folds test and do not train on.
std::vector<std::string> warnings_of_unlearned(const std::vector<Fold>& folds,
                                               const std::vector<Index>& classes,
                                               const Table& table, const Context& context) {
  std::map<Index, std::pair<std::string, std::vector<Index>>> unlearned;
  for (Index f = 0; f < length(folds); ++f) {
    stop_if_asked(context);
    const std::vector<Index> own = entries_at(classes, folds[to_size(f)].train);
    const std::set<Index> trained(own.begin(), own.end());
    for (const Index i : folds[to_size(f)].test) {
      if (trained.contains(classes[to_size(i)])) continue;
      auto& [name, where] = unlearned[classes[to_size(i)]];
      name = table.labels[to_size(i)];
      if (where.empty() || where.back() != f) where.push_back(f);
    }
  }
  std::vector<std::string> warnings;
  for (const auto& [k, one] : unlearned) {
    warnings.push_back(fmt::format(
        "class {} stands in the test part only of {} of {} folds ({}): its samples count as errors "
        "there, and metrics of ranking leave these folds out",
        in_quotes(one.first), one.second.size(), folds.size(), fold_list(one.second)));
  }
  return warnings;
}

/// Folds that test one class, but for those of leave-one-out, which all do.
std::vector<std::string> warnings_of_one_class(const std::vector<Fold>& folds,
                                               const std::vector<Index>& classes) {
  std::vector<Index> single;
  for (Index f = 0; f < length(folds); ++f) {
    const std::vector<Index> own = entries_at(classes, folds[to_size(f)].test);
    if (std::set<Index>(own.begin(), own.end()).size() == 1) single.push_back(f);
  }
  if (single.empty() || single.size() == folds.size()) return {};
  return {
      fmt::format("{} of {} folds test one class only ({}): metrics of ranking are means over "
                  "the others",
                  single.size(), folds.size(), fold_list(single))};
}

ChosenFolds with_warnings(ChosenFolds chosen, const Table& table, const TrainOptions& options,
                          const Context& context) {
  const std::vector<Index> classes = classes_of(table, options);
  if (classes.empty()) return chosen;
  for (const auto& more : {warnings_of_unlearned(chosen.folds, classes, table, context),
                           warnings_of_one_class(chosen.folds, classes)}) {
    chosen.warnings.insert(chosen.warnings.end(), more.begin(), more.end());
  }
  return chosen;
}

}  // namespace

void add_fold_options(CLI::App& app, FoldArguments& a) {
  OptionGroup folds(app, "Folds");
  folds.value("--folds", a.folds, "K",
              "Folds, each held out once; stratified by class where samples have one class each");
  folds.value("--repeats", a.repeats, "R", "How often, each time shuffled anew");
  folds.value("--groups", a.groups, "COL",
              "Column with groups (patients, batches) whose samples are never apart");
  folds.value("--fold-column", a.fold_column, "COL",
              "Column with the fold of each sample; samples of -1 always train");
  folds.value("--split-file", a.split_file, "FILE",
              "Splits as they are: a line each, of the numbers (from 1) of the samples to test, or "
              "of one digit for each sample, 1 to train and 0 to test");
  folds.toggle("--leave-one-out", a.leave_one_out, "As many folds as samples");
  folds.toggle("--no-shuffle", a.no_shuffle, "Deal samples out in the order of the data");
}

void check_fold_options(const FoldArguments& a) {
  std::vector<std::string> rules;
  if (!a.groups.empty()) rules.emplace_back("--groups");
  if (!a.fold_column.empty()) rules.emplace_back("--fold-column");
  if (!a.split_file.empty()) rules.emplace_back("--split-file");
  if (a.leave_one_out) rules.emplace_back("--leave-one-out");
  if (rules.size() > 1) {
    throw ParameterError(fmt::format("{} and {} both say the folds; give one", rules[0], rules[1]));
  }
  const bool repeated = whole_number("--repeats", a.repeats, 1) > 1;
  (void)whole_number("--folds", a.folds, 2);
  if (repeated && !rules.empty()) {
    throw ParameterError(
        fmt::format("--repeats: the folds of {} are the same each time", rules[0]));
  }
  if (repeated && a.no_shuffle) {
    throw ParameterError("--repeats: folds without shuffling are the same each time");
  }
}

std::vector<std::string> fold_columns(const FoldArguments& a) {
  std::vector<std::string> columns;
  for (const std::string& column : {a.groups, a.fold_column}) {
    if (!column.empty()) columns.push_back(column);
  }
  return columns;
}

std::vector<Index> classes_of(const Table& table, const TrainOptions& options) {
  const bool one_each =
      loss_target(options.loss) == Target::classes && table.multi_labels.names.empty();
  return one_each ? numbered(table.labels) : std::vector<Index>();
}

std::vector<std::string> read_fold_column(const FoldArguments& a, const DataArguments& files,
                                          const Context& context) {
  if (!a.fold_column.empty())
    return read_texts("--fold-column", "fold", a.fold_column, files, context);
  return {};
}

std::vector<Index> read_groups(const FoldArguments& a, const DataArguments& files,
                               const Context& context) {
  if (a.groups.empty()) return {};
  return numbered(read_texts("--groups", "group", a.groups, files, context));
}

FoldOptions fold_numbers_asked(const FoldArguments& a, const Context& context) {
  constexpr auto largest = std::numeric_limits<std::uint32_t>::max();
  if (context.seed > largest) {
    throw ParameterError(
        fmt::format("--seed: folds are shuffled by seeds up to {}, got {}", largest, context.seed));
  }
  return {.folds = whole_number("--folds", a.folds, 2),
          .repeats = whole_number("--repeats", a.repeats, 1),
          .shuffle = !a.no_shuffle,
          .seed = static_cast<std::uint32_t>(context.seed)};
}

namespace {

ChosenFolds folds_of(const FoldArguments& a, const std::vector<std::string>& column,
                     const Dataset& data, const TrainOptions& options, const Context& context) {
  const Index n = sample_count(data.table, data.matrices);
  const FoldOptions asked = fold_numbers_asked(a, context);
  if (a.leave_one_out) {
    require_room_for_folds("--leave-one-out", static_cast<double>(n), n, context);
    return {leave_one_out(n, context), "leave one out", {}};
  }
  if (!a.split_file.empty()) {
    return {read_splits(a.split_file, n, context), "the splits of " + a.split_file, {}};
  }
  if (!a.fold_column.empty()) {
    return {predefined_folds(fold_numbers(column)), "the folds of column " + a.fold_column, {}};
  }
  require_room_for_folds(asked.repeats > 1 ? "--repeats" : "--folds",
                         static_cast<double>(asked.folds) * static_cast<double>(asked.repeats), n,
                         context);
  if (!a.groups.empty()) {
    return {deal(n, {{}, options.groups, options.sample_weights}, asked, context),
            fmt::format("{} folds of the groups in column {}", asked.folds, a.groups),
            {}};
  }
  const std::vector<Index> classes = classes_of(data.table, options);
  if (classes.empty()) {
    return {deal(n, {{}, {}, options.sample_weights}, asked, context), rule_text(asked, ""), {}};
  }
  return {deal(n, {classes, {}, options.sample_weights}, asked, context),
          rule_text(asked, ", stratified"), warnings_of(classes, data.table, asked.folds)};
}

}  // namespace

ChosenFolds choose_folds(const FoldArguments& a, const std::vector<std::string>& column,
                         const Dataset& data, const TrainOptions& options, const Context& context) {
  return with_warnings(folds_of(a, column, data, options, context), data.table, options, context);
}

}  // namespace kernmix::cli
