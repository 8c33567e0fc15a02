// Columns of words and missing cells as columns of 0 and 1.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/prediction/model_columns.hpp"
#include "kernmix/error.hpp"
#include "kernmix/train.hpp"
#include "model/absence/presence.hpp"
#include "model/feature_columns.hpp"
#include "model/prediction_kernels.hpp"

namespace kernmix {
namespace {

constexpr std::size_t kShownWords = 5;

const Categories* words_of(const Table& table, const std::string& column) {
  const auto found = std::ranges::find(table.categories, column, &Categories::column);
  return found == table.categories.end() ? nullptr : &*found;
}

/// Of the samples that have the column.
bool misses_a_cell(const ConstMatrix& numbers, Index column, const PresentSamplesPtr& present) {
  for (Index i = 0; i < numbers.rows; ++i) {
    if (std::isnan(numbers(i, column)) && (!present || present->place(i) >= 0)) return true;
  }
  return false;
}

/// The words of a column that occur, in their order.
std::vector<std::string> words_in(const Categories& own, const ConstMatrix& numbers, Index column) {
  std::vector<bool> occurs(own.values.size(), false);
  for (Index i = 0; i < numbers.rows; ++i) {
    const double code = numbers(i, column);
    if (!std::isnan(code)) occurs[to_size(static_cast<Index>(code))] = true;
  }
  std::vector<std::string> words;
  for (std::size_t k = 0; k < occurs.size(); ++k) {
    if (occurs[k]) words.push_back(own.values[k]);
  }
  return words;
}

/// The columns of the views; without views all.
std::set<std::string> columns_read(const Dataset& data) {
  std::set<std::string> read;
  for (const View& view : data.views) read.insert(view.columns.begin(), view.columns.end());
  if (data.views.empty()) read.insert(data.table.columns.begin(), data.table.columns.end());
  return read;
}

/// A word for nearly every sample names the samples, and tells nothing about others.
void refuse_many_words(const Table& table, const Indicators& own) {
  const std::size_t words = own.values.size();
  if (words <= 2 || 2 * words <= to_size(table.samples())) return;
  throw DataError(fmt::format(
      "{}: column {} has {} different words in {} samples, which is more than half: leave it out, "
      "name it as the sample id, or write fewer words, for example groups of them",
      table.source, in_quotes(own.column), words, table.samples()));
}

/// The indicators that training needs, in the order of the columns.
std::vector<Indicators> wanted_indicators(const Dataset& data, const ColumnSamples& samples,
                                          MissingRule rule) {
  const Table& table = data.table;
  const ConstMatrix numbers = table.numbers();
  const std::set<std::string> read = columns_read(data);
  std::vector<Indicators> wanted;
  std::vector<Indicators> missing;
  for (Index j = 0; j < length(table.columns); ++j) {
    const std::string& column = table.columns[to_size(j)];
    if (!read.contains(column)) continue;
    const Categories* const own = words_of(table, column);
    if (own != nullptr && own->as_indicators) {
      Indicators words{column, words_in(*own, numbers, j)};
      if (words.values.empty()) continue;  // every cell is missing
      refuse_many_words(table, words);
      wanted.push_back(std::move(words));
    }
    if (!has_indicators(rule)) continue;
    if (!misses_a_cell(numbers, j, samples.with(column))) continue;
    missing.push_back({column, {}, samples.views(column)});
  }
  wanted.insert(wanted.end(), missing.begin(), missing.end());
  return wanted;
}

/// One column of the new table: a column of the old one, or an indicator of it.
struct NewColumn {
  std::string name;
  Index source = 0;
  bool indicates = false;
  double code = missing_cell;           ///< of the word that it indicates; NaN: of missing cells
  PresentSamplesPtr present = nullptr;  ///< of missing cells: the samples that have the column
};

/// Cells of a view that the sample lacks do not count as missing.
double value_of(const NewColumn& column, double cell, Index sample) {
  if (!column.indicates) return cell;
  if (std::isnan(column.code)) {
    if (column.present && column.present->place(sample) < 0) return missing_cell;
    return std::isnan(cell) ? 1.0 : 0.0;
  }
  return std::isnan(cell) ? missing_cell : cell == column.code ? 1.0 : 0.0;
}

/// Names words of the table that have no indicator.
void note_unseen(const Categories& own, const Indicators& known, const ConstMatrix& numbers,
                 Index column, Table& table) {
  std::vector<Index> cells(own.values.size(), 0);
  for (Index i = 0; i < numbers.rows; ++i) {
    const double code = numbers(i, column);
    if (!std::isnan(code)) ++cells[to_size(static_cast<Index>(code))];
  }
  const std::unordered_set<std::string> seen(known.values.begin(), known.values.end());
  std::vector<std::string> unseen;
  for (std::size_t k = 0; k < own.values.size(); ++k) {
    if (cells[k] == 0 || seen.contains(own.values[k])) continue;
    unseen.push_back(fmt::format("{} ({} sample{})", in_quotes(own.values[k]), cells[k],
                                 cells[k] == 1 ? "" : "s"));
  }
  if (unseen.empty()) return;
  table.notes.push_back(
      fmt::format("{}: column {} has words that training did not see, {}: all indicators of the "
                  "column are 0 for these samples",
                  table.source, in_quotes(own.column), listed(unseen, kShownWords)));
}

/// The new columns in order: words are replaced, indicators of missing cells come last.
class NewColumns {
 public:
  NewColumns(Table& table, const ColumnSamples& samples, const std::vector<Indicators>& indicators)
      : table_(table) {
    for (Index j = 0; j < length(table.columns); ++j) place_.emplace(table.columns[to_size(j)], j);
    std::map<Index, const Indicators*> words;
    for (const Indicators& own : indicators) {
      if (!own.values.empty()) words.emplace(place_of(own.column), &own);
    }
    for (Index j = 0; j < length(table.columns); ++j) {
      first_.push_back(length(columns_));
      const auto own = words.find(j);
      if (own == words.end()) {
        columns_.push_back({table.columns[to_size(j)], j});
      } else {
        add_words(*own->second, j);
      }
    }
    first_.push_back(length(columns_));
    for (const Indicators& own : indicators) {
      if (own.values.empty()) {
        columns_.push_back({own.names().front(), place_of(own.column), true, missing_cell,
                            samples.with_some(own.views)});
      }
    }
  }

  [[nodiscard]] const std::vector<NewColumn>& columns() const { return columns_; }
  /// Where the columns made of column j begin; j may be one past the last.
  [[nodiscard]] Index first(Index j) const { return first_[to_size(j)]; }

 private:
  [[nodiscard]] Index place_of(const std::string& column) const {
    const auto found = place_.find(column);
    if (found != place_.end()) return found->second;
    throw DataError(fmt::format("{}: there is no column {}{}", table_.source, in_quotes(column),
                                did_you_mean(column, table_.columns)));
  }

  void add_words(const Indicators& own, Index source) {
    const Categories* const given = words_of(table_, own.column);
    if (given == nullptr) {
      throw DataError(
          fmt::format("{}: column {} has numbers where the model learned words: read it as words "
                      "(ReadOptions::categorical)",
                      table_.source, in_quotes(own.column)));
    }
    note_unseen(*given, own, table_.numbers(), source, table_);
    std::unordered_map<std::string, double> codes;
    for (const std::string& word : given->values) {
      codes.emplace(word, static_cast<double>(codes.size()));
    }
    const std::vector<std::string> names = own.names();
    for (std::size_t k = 0; k < own.values.size(); ++k) {
      const auto word = codes.find(own.values[k]);
      // A word that does not occur here has a number that no cell has.
      columns_.push_back({names[k], source, true, word == codes.end() ? -1.0 : word->second});
    }
  }

  Table& table_;
  std::unordered_map<std::string, Index> place_;
  std::vector<NewColumn> columns_;
  std::vector<Index> first_;
};

void require_room(const Table& table, Index columns, const Context& context) {
  const double bytes = sizeof(double) * static_cast<double>(table.samples()) *
                       static_cast<double>(columns + length(table.columns));
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("{}: {} columns of numbers and indicators of {} samples need {}, more than the "
                  "memory budget of {}; leave out columns with many words",
                  table.source, columns, table.samples(), memory_text(bytes),
                  memory_text(context.memory_bytes)));
}

void replace_columns(Table& table, const NewColumns& layout, const Context& context) {
  const std::vector<NewColumn>& columns = layout.columns();
  require_room(table, length(columns), context);
  const ConstMatrix numbers = table.sparse ? dense(*table.sparse) : table.numbers();
  table.sparse.reset();
  Matrix values(numbers.rows, length(columns));
  for (Index i = 0; i < values.rows; ++i) {
    stop_if_asked(context);
    const MutableSpan row = values.row(i);
    std::ranges::transform(columns, row.begin(), [&](const NewColumn& column) {
      return value_of(column, numbers(i, column.source), i);
    });
  }
  for (FilePart& part : table.parts) {
    const Index end = layout.first(part.first + part.columns);
    part.first = layout.first(part.first);
    part.columns = end - part.first;
  }
  table.columns.clear();
  for (const NewColumn& column : columns) table.columns.push_back(column.name);
  table.values = std::move(values);
  table.borrowed = ConstMatrix();
}

void refuse_double_names(const Table& table) {
  std::set<std::string> seen;
  for (const std::string& name : table.columns) {
    if (seen.insert(name).second) continue;
    throw DataError(
        fmt::format("{}: an indicator and a column have the same name, {}; rename the column",
                    table.source, in_quotes(name)));
  }
}

/// Views follow their columns.
void replace_in_views(std::vector<View>& views, const std::vector<Indicators>& indicators) {
  View missing{missing_view, {}};
  std::map<std::string, std::vector<std::string>> replaced;
  for (const Indicators& own : indicators) {
    if (own.values.empty()) {
      missing.columns.push_back(own.names().front());
    } else {
      replaced.emplace(own.column, own.names());
    }
  }
  for (View& view : views) {
    std::vector<std::string> columns;
    for (const std::string& column : view.columns) {
      const auto own = replaced.find(column);
      if (own == replaced.end()) {
        columns.push_back(column);
      } else {
        columns.insert(columns.end(), own->second.begin(), own->second.end());
      }
    }
    view.columns = std::move(columns);
  }
  if (views.empty() || missing.columns.empty()) return;
  if (std::ranges::find(views, missing.name, &View::name) != views.end()) {
    throw ParameterError(fmt::format(
        "a view is called '{}', the name of the view of indicators of missing cells: rename it",
        missing.name));
  }
  views.push_back(std::move(missing));
}

/// The view of indicators of missing cells.
bool is_of_indicators(const View& view, const std::vector<Indicators>& indicators) {
  const auto of_missing = [](const Indicators& own) { return own.values.empty(); };
  return view.name == missing_view && std::ranges::any_of(indicators, of_missing);
}

void add_indicators(Dataset& data, const ColumnSamples& samples,
                    const std::vector<Indicators>& indicators, const Context& context) {
  if (indicators.empty()) return;
  Table& table = data.table;
  replace_columns(table, NewColumns(table, samples, indicators), context);
  refuse_double_names(table);
  std::erase_if(table.categories, [&](const Categories& words) {
    return std::ranges::any_of(indicators, [&](const Indicators& own) {
      return own.column == words.column && !own.values.empty();
    });
  });
  table.indicators = indicators;
  replace_in_views(data.views, indicators);
}

}  // namespace

void make_indicators(Dataset& data, MissingRule rule, const Context& context) {
  check_table(data.table);
  const ColumnSamples samples(data);
  add_indicators(data, samples, wanted_indicators(data, samples, rule), context);
}

void make_indicators(Dataset& data, const std::vector<Indicators>& known, const Context& context) {
  check_table(data.table);
  add_indicators(data, ColumnSamples(data), known, context);
}

ColumnReading column_reading(const Model& model) {
  const bool fills = parse_missing_rule(model.settings.missing) != MissingRule::refuse;
  ColumnReading reading{model.categories, model.indicators, model.missing_codes, fills};
  for (const ModelPresence& own : model.presences) reading.lacking.push_back(own.view);
  if (!complete_views(model).empty()) reading.keep_missing = true;
  for (const ScaledView& own : model.views) reading.views.push_back({own.view, own.columns});
  for (const std::string& matrix : model.matrices) reading.views.push_back({matrix, {}});
  reading.views.push_back({columns_of_training, model.table_columns});
  return reading;
}

void expect_absence(Dataset& data, const std::vector<View>& lacking,
                    const std::vector<Indicators>& indicators) {
  for (const View& view : lacking) {
    data.incomplete.push_back(view.name);
    if (is_of_indicators(view, indicators)) continue;  // make_indicators() adds it
    data.views.push_back({view.name, sources_of(view.columns, indicators)});
  }
}

ColumnReading column_reading(const Dataset& training, MissingRule rule) {
  const Table& table = training.table;
  ColumnReading reading{table.categories, table.indicators, table.missing_codes,
                        rule != MissingRule::refuse};
  for (Presence& own : incomplete_views(training)) reading.lacking.push_back(std::move(own.view));
  reading.views = training.views;
  reading.views.push_back({columns_of_training, sources_of(table.columns, table.indicators)});
  return reading;
}

namespace {

/// Columns of views that no new sample has, as missing cells.
void add_absent_columns(Dataset& data, const std::vector<std::string>& names) {
  Table& table = data.table;
  const std::set<std::string> known(table.columns.begin(), table.columns.end());
  std::set<std::string> wanted;
  for (const View& view : data.views) {
    const auto has = [&](const std::string& column) { return known.contains(column); };
    if (std::ranges::any_of(view.columns, has)) continue;
    wanted.insert(view.columns.begin(), view.columns.end());
  }
  std::vector<std::string> added;
  for (const std::string& name : names) {
    if (wanted.erase(name) > 0) added.push_back(name);
  }
  if (added.empty() || table.sparse) return;
  const ConstMatrix numbers = table.numbers();
  Matrix values(table.samples(), numbers.cols + length(added));
  std::ranges::fill(values.values, missing_cell);
  for (Index i = 0; i < values.rows; ++i) std::ranges::copy(numbers.row(i), values.row(i).begin());
  table.columns.insert(table.columns.end(), added.begin(), added.end());
  table.values = std::move(values);
  table.borrowed = ConstMatrix();
}

/// The columns of each view that are read from files.
std::vector<View> views_read(const ColumnReading& reading, const std::vector<std::string>& only) {
  const std::set<std::string> read(only.begin(), only.end());
  std::vector<View> views;
  for (const View& view : reading.views) {
    if (is_of_indicators(view, reading.indicators)) continue;
    if (view.name == columns_of_training) {
      if (!views.empty()) views.push_back(view);
      continue;
    }
    View own{view.name, sources_of(view.columns, reading.indicators)};
    std::erase_if(own.columns, [&](const std::string& name) { return !read.contains(name); });
    if (!own.columns.empty()) views.push_back(std::move(own));
  }
  return views;
}

/// Whether new samples need not be in every file: they may lack a view of several, and then predict
/// without it. Cells of other views are then missing.
bool may_lack_views(const ColumnReading& reading) {
  const Index views = std::ranges::count_if(
      reading.views, [](const View& view) { return view.name != columns_of_training; });
  return !reading.lacking.empty() || (reading.keep_missing && views > 1);
}

/// A view that samples may lack one by one, but not all of them: no file has the column "".
void require_for_some(View& view) { view.columns.push_back(""); }

}  // namespace

ReadOptions new_table_options(const std::vector<std::string>& columns, const ColumnReading& reading,
                              ReadOptions options) {
  options.only = sources_of(columns, reading.indicators);
  if (options.only.empty()) options.only = {""};  // no column has this name, and none is read
  options.categories = reading.categories;
  options.only_views = views_read(reading, options.only);
  options.keep_missing = reading.keep_missing || !reading.lacking.empty();
  options.keep_absent = may_lack_views(reading);
  for (const View& view : reading.lacking) {
    if (is_of_indicators(view, reading.indicators)) continue;
    for (std::string& name : sources_of(view.columns, reading.indicators)) {
      options.may_be_absent.push_back(std::move(name));
    }
  }
  for (View& view : options.only_views) {
    const bool lacks =
        std::ranges::find(reading.lacking, view.name, &View::name) != reading.lacking.end();
    const bool is_view = view.name != columns_of_training;
    if (lacks || !is_view || options.may_be_absent.empty()) continue;
    options.may_be_absent.insert(options.may_be_absent.end(), view.columns.begin(),
                                 view.columns.end());
    require_for_some(view);
  }
  options.na = reading.missing_codes;
  options.categorical.clear();
  for (const Indicators& own : indicators_read(options.only, reading.indicators)) {
    if (own.values.empty()) continue;
    options.categorical.push_back(own.column);
    options.categories->push_back({own.column, own.values, true});
  }
  return options;
}

Table read_new_table(const std::vector<std::string>& files, const std::vector<std::string>& columns,
                     const ColumnReading& reading, ReadOptions options) {
  const ReadOptions own = new_table_options(columns, reading, std::move(options));
  Dataset data;
  data.table = read_table(files, own);
  expect_absence(data, reading.lacking, reading.indicators);
  add_absent_columns(data, own.may_be_absent);
  make_indicators(data, indicators_read(own.only, reading.indicators), own.context);
  return std::move(data.table);
}

std::vector<std::string> sources_of(const std::vector<std::string>& columns,
                                    const std::vector<Indicators>& indicators) {
  std::unordered_map<std::string, std::string> source;
  for (const Indicators& own : indicators) {
    for (std::string& name : own.names()) source.emplace(std::move(name), own.column);
  }
  std::vector<std::string> sources;
  std::set<std::string> seen;
  for (const std::string& column : columns) {
    const auto own = source.find(column);
    const std::string& name = own == source.end() ? column : own->second;
    if (seen.insert(name).second) sources.push_back(name);
  }
  return sources;
}

}  // namespace kernmix
