#include "fold_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "data/csv/label_spelling.hpp"
#include "data/file.hpp"
#include "data/names/name_list.hpp"
#include "data/names/row_ids.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "layout.hpp"
#include "model/pipeline.hpp"
#include "model/settings/number_text.hpp"
#include "study/text.hpp"

namespace kernmix::cli {

namespace {

std::optional<Index> index_of(std::string_view text) {
  Index value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Names of folds are words or numbers; numbers with a fraction that hardly repeat are
/// measurements.
void refuse_measurements(const std::string& column, const std::vector<std::string>& texts) {
  const auto is_measurement = [](const std::string& text) {
    const auto number = parse_number(text);
    return number && *number != std::floor(*number);
  };
  const auto found = std::ranges::find_if(texts, is_measurement);
  if (found == texts.end()) return;
  const std::set<std::string> different(texts.begin(), texts.end());
  if (2 * different.size() <= texts.size()) return;
  throw DataError(
      fmt::format("--fold-column: column {} has measurements such as {}, which do not name folds",
                  in_quotes(column), *found));
}

/// In the column of folds: always a training sample.
constexpr const char* kAlwaysTrains = "-1";

/// Numbers unchanged; other texts are numbered.
std::vector<Index> fold_numbers(const std::vector<std::string>& texts) {
  std::vector<Index> numbers;
  for (const std::string& text : texts) {
    constexpr double countable = 0x1p53;
    const auto number = parse_number(text);
    const bool whole = number && *number == std::floor(*number) && std::abs(*number) < countable;
    if (!whole) {
      numbers = numbers_of_names(texts);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i] == kAlwaysTrains) numbers[i] = -1;
      }
      return numbers;
    }
    numbers.push_back(static_cast<Index>(*number));
  }
  return numbers;
}

[[noreturn]] void refuse_split(const std::string& file, Index line, const std::string& why) {
  throw DataError(fmt::format("{}:{}: {}", file, line, why));
}

/// The values of the column by fold.
std::vector<std::string> names_of_folds(const std::vector<std::string>& texts,
                                        const std::vector<Index>& numbers) {
  std::map<Index, std::string> names;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (numbers[i] >= 0) names.try_emplace(numbers[i], texts[i]);
  }
  std::vector<std::string> list;
  for (auto& [number, name] : names) list.push_back(std::move(name));
  return list;
}

/// \throws DataError naming a group on both sides of a fold
void check_whole_groups(const FoldArguments& a, const FoldRule& rule,
                        const std::vector<std::string>& groups, const Table& table) {
  const std::string option = a.split_file.empty() ? "--fold-column" : "--split-file";
  for (std::size_t f = 0; f < rule.given.size(); ++f) {
    std::map<std::string, Index> trained;
    for (const Index i : rule.given[f].train) trained.try_emplace(groups[to_size(i)], i);
    for (const Index i : rule.given[f].test) {
      const auto found = trained.find(groups[to_size(i)]);
      if (found == trained.end()) continue;
      const std::string fold =
          rule.given_names.empty() ? fmt::format("{}", f + 1) : in_quotes(rule.given_names[f]);
      throw DataError(
          fmt::format("{}: group {} of column {} is in the training part (sample {}) and in the "
                      "test part (sample "
                      "{}) of fold {}: give folds of whole groups, or leave --groups out",
                      option, in_quotes(found->first), in_quotes(a.groups),
                      sample_name(table, found->second), sample_name(table, i), fold));
    }
  }
}

constexpr const char* kMaskDigits = "01-";

/// A line of n signs: 1 for training, 0 for test, - for neither.
bool is_mask(const std::string& line, Index n) {
  return length(line) == n && n > 1 && line.find_first_not_of(kMaskDigits) == std::string::npos;
}

Fold split_of_mask(const std::string& line) {
  Fold fold;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '1') fold.train.push_back(static_cast<Index>(i));
    if (line[i] == '0') fold.test.push_back(static_cast<Index>(i));
  }
  return fold;
}

/// A mask of another number of samples.
void refuse_other_mask(const std::string& file, Index number, const std::string& line, Index n) {
  const bool is_mask_of_others =
      line.find_first_not_of(kMaskDigits) == std::string::npos && line.size() > 1 &&
      (line.find('-') != std::string::npos || line.size() > std::to_string(n).size());
  if (!is_mask_of_others) return;
  refuse_split(
      file, number,
      fmt::format("the line has {} signs for {} samples; a sign for each is 1 (training), 0 "
                  "(test) or - (not used in this split)",
                  line.size(), n));
}

Fold split_of_numbers(const std::string& file, Index number, const std::string& line, Index n) {
  std::vector<bool> tested(to_size(n), false);
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const auto sample = index_of(word);
    if (!sample || *sample < 1 || *sample > n) {
      refuse_split(
          file, number,
          fmt::format(
              "{} is not a sample; a split is a line with the numbers (1 to {}) of the "
              "test samples, or with {} signs, 1 for training, 0 for test and - for samples "
              "that are not used",
              in_quotes(word), n, n));
    }
    tested[to_size(*sample - 1)] = true;
  }
  Fold fold;
  for (Index i = 0; i < n; ++i) (tested[to_size(i)] ? fold.test : fold.train).push_back(i);
  return fold;
}

Fold split_of_line(const std::string& file, Index number, const std::string& line, Index n) {
  const bool mask = is_mask(line, n);
  if (!mask) refuse_other_mask(file, number, line, n);
  Fold fold = mask ? split_of_mask(line) : split_of_numbers(file, number, line, n);
  if (fold.test.empty()) refuse_split(file, number, "the split has no test sample");
  if (fold.train.empty()) refuse_split(file, number, "the split has no training sample");
  return fold;
}

std::vector<Fold> read_splits(const std::string& file, Index n, const Context& context) {
  std::vector<Fold> folds;
  for (const ListedName& split : read_name_list(file, context)) {
    stop_reading_if_asked(file, context);
    require_room("--split-file", static_cast<double>(folds.size() + 1), n, context);
    folds.push_back(split_of_line(file, split.line, split.text, n));
  }
  if (folds.empty()) throw DataError(fmt::format("{}: has no line with a split", file));
  return folds;
}

}  // namespace

void add_fold_options(CLI::App& app, FoldArguments& a) {
  OptionGroup folds(app, "Folds");
  folds.value("--folds", a.folds, "K",
              "Number of folds; stratified by class if each sample has one class");
  folds.value("--repeats", a.repeats, "R", "Number of repetitions, each with new random folds");
  folds.value("--groups", a.groups, "COL",
              "Group column: samples of a group (a patient, a batch) stay in the same fold");
  folds.value(
      "--fold-column", a.fold_column, "COL",
      "Column with the fold of each sample, such as its site; -1: always a training sample");
  folds.value("--split-file", a.split_file, reads("FILE"),
              "File with one split on each line: either the row numbers of the test samples (the "
              "first row below the header is 1), or one sign for each sample, without blanks: 1 "
              "for training, 0 for test, - for samples that this split does not use");
  folds.toggle("--leave-one-out", a.leave_one_out, "One fold for each sample");
  folds.toggle("--no-shuffle", a.no_shuffle, "Do not shuffle the samples");
}

SampleTexts read_texts(const std::string& option, const std::string& called,
                       const std::string& column, DataArguments files, const Context& context) {
  require(!files.files.empty(), "DATA",
          fmt::format("{} names a column: give the file with this column", option));
  files.labels.clear();
  files.targets.clear();
  files.label = column;
  ReadOptions options = read_options(files, context);
  options.only = {column};
  options.label_called = called;
  options.keep_absent = true;
  try {
    Table read = read_table(files.files, options);
    return {called, std::move(read.source), std::move(read.ids), std::move(read.labels)};
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", option, error.what()));
  }
}

std::vector<std::string> texts_of(const SampleTexts& read, const Table& table) {
  if (!read.texts.empty() && !table.ids.empty() && row_of_id(table.ids.front())) {
    std::vector<std::string> texts;
    for (Index i = 0; i < table.samples(); ++i) {
      texts.push_back(read.texts[to_size(file_row(table, i) - 1)]);
    }
    return texts;
  }
  if (read.ids.empty() || table.ids.empty() || read.ids == table.ids) return read.texts;
  std::unordered_map<std::string_view, std::size_t> row;
  for (std::size_t i = 0; i < read.ids.size(); ++i) row.emplace(read.ids[i], i);
  std::vector<std::string> texts;
  for (const std::string& id : table.ids) {
    const auto found = row.find(id);
    if (found == row.end()) {
      throw DataError(
          fmt::format("sample {} has no {} in {}", in_quotes(id), read.called, read.source));
    }
    texts.push_back(read.texts[found->second]);
  }
  return texts;
}

void check_fold_options(const FoldArguments& a) {
  std::vector<std::string> rules;
  if (!a.fold_column.empty()) rules.emplace_back("--fold-column");
  if (!a.split_file.empty()) rules.emplace_back("--split-file");
  const bool are_given = !rules.empty();  // and groups are the units of intervals and permutations
  if (!a.groups.empty() && !are_given) rules.emplace_back("--groups");
  if (a.leave_one_out) rules.emplace_back("--leave-one-out");
  if (rules.size() > 1) {
    throw ParameterError(
        fmt::format("{} and {} both define the folds; give one", rules[0], rules[1]));
  }
  const bool repeated = whole_number("--repeats", a.repeats, 1) > 1;
  (void)whole_number("--folds", a.folds, 2);
  const bool in_groups = rules.empty() || rules[0] == "--groups";
  if (a.folds != FoldArguments().folds && !in_groups) {
    throw ParameterError(fmt::format("--folds {}: {} defines the folds and their number; give one",
                                     a.folds, rules[0]));
  }
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
  for (const std::string& column : {a.groups, a.fold_column, a.permute_within}) {
    if (!column.empty()) columns.push_back(column);
  }
  return columns;
}

FoldTexts read_fold_column(const FoldArguments& a, const DataArguments& files,
                           const Context& context) {
  FoldTexts read;
  if (!a.fold_column.empty()) {
    read.folds = read_texts("--fold-column", "fold", a.fold_column, files, context);
  }
  if (!a.fold_column.empty() || !a.split_file.empty()) read.groups = read_groups(a, files, context);
  return read;
}

FoldColumn texts_of(const FoldTexts& read, const Table& table) {
  return {texts_of(read.folds, table), texts_of(read.groups, table)};
}

std::string option_of_all_samples(const FoldArguments& a) {
  if (!a.split_file.empty()) return "--split-file";
  if (!a.fold_column.empty()) return "--fold-column";
  return a.permute_within.empty() ? "" : "--permute-within";
}

SampleTexts read_groups(const FoldArguments& a, const DataArguments& files,
                        const Context& context) {
  if (a.groups.empty()) return {};
  return read_texts("--groups", "group", a.groups, files, context);
}

FoldOptions fold_numbers_asked(const FoldArguments& a, const Context& context) {
  return {.folds = whole_number("--folds", a.folds, 2),
          .repeats = whole_number("--repeats", a.repeats, 1),
          .shuffle = !a.no_shuffle,
          .seed = seed_of_folds("--seed", context)};
}

FoldRule fold_rule(const FoldArguments& a, const FoldColumn& column, const Dataset& data,
                   const Context& context) {
  const Index n = sample_count(data.table, data.matrices);
  FoldRule rule{fold_numbers_asked(a, context), a.leave_one_out, {}, {}, a.groups};
  if (!a.split_file.empty()) {
    rule.given = read_splits(a.split_file, n, context);
    rule.given_by = "the splits of " + a.split_file;
  } else if (!a.fold_column.empty()) {
    refuse_measurements(a.fold_column, column.folds);
    const std::vector<Index> numbers = fold_numbers(column.folds);
    rule.given = predefined_folds(numbers);
    rule.given_by = "the folds of column " + a.fold_column;
    rule.given_names = names_of_folds(column.folds, numbers);
  } else if (a.leave_one_out) {
    require_room("--leave-one-out", static_cast<double>(n), n, context);
  } else {
    require_room(rule.asked.repeats > 1 ? "--repeats" : "--folds",
                 static_cast<double>(rule.asked.folds) * static_cast<double>(rule.asked.repeats), n,
                 context);
  }
  if (!rule.given.empty() && !column.groups.empty()) {
    check_whole_groups(a, rule, column.groups, data.table);
    rule.given_by += ", with the groups of column " + a.groups;
  }
  return rule;
}

ChosenFolds choose_folds(const FoldArguments& a, const FoldColumn& column, const Dataset& data,
                         const TrainOptions& options, const Context& context) {
  ChosenFolds chosen = choose_folds(data, options, fold_rule(a, column, data, context), context);
  const std::string spelling = spellings_of(column.folds, spelled_folds, a.fold_column);
  if (!spelling.empty()) chosen.warnings.push_back(spelling);
  return chosen;
}

}  // namespace kernmix::cli
