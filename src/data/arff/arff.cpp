#include "data/arff/arff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "data/arff/arff_column.hpp"
#include "data/arff/arff_header.hpp"
#include "data/column_selection.hpp"
#include "data/csv/remedies.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Reads the samples of one file.
class ArffRows {
 public:
  ArffRows(const InputFile& file, const ReadOptions& options)
      : file_(file), options_(options), reader_(file.text, file.path), flags_(file) {
    ArffHeader header = read_arff_header(reader_);
    const std::vector<Role> roles = roles_of(file, options);
    name_by_role(file, roles, table_);
    for (std::size_t j = 0; j < roles.size(); ++j) {
      columns_.emplace_back(std::move(header.attributes[j]), roles[j], file);
      add_categories(columns_.back());
      add_defaults(columns_.back());
    }
    for (const std::string& name : file.watched) watched_[name] = {};
    keeps_sparse_ = options.keep_sparse && begins_sparse();
    sparse_.cols = length(table_.columns);
    if (!keeps_sparse_) reserve_rows(options.context.memory_bytes);
  }

  FileTable read() {
    std::vector<Index> lines;
    while (reader_.next_line()) {
      stop_reading_if_asked(file_.path, options_.context);
      begin_row();
      if (reader_.take('{')) {
        read_sparse();
      } else {
        read_dense();
      }
      end_row();
      lines.push_back(reader_.line());
    }
    if (lines.empty()) throw DataError(file_.path + ": has no samples after @data");
    if (keeps_sparse_) {
      take_sparse();
    } else {
      table_.values.rows = length(lines);
      table_.values.cols = length(table_.columns);
    }
    return {std::move(table_), std::move(lines), std::move(watched_)};
  }

 private:
  void add_categories(const ArffColumn& column) {
    if (column.categories.empty() || column.role != Role::value) return;
    table_.categories.push_back({column.attribute.name, column.categories, column.as_indicators});
  }

  void add_defaults(const ArffColumn& column) {
    places_.push_back(column.role == Role::flag ? flag_defaults_.size() : value_defaults_.size());
    if (column.role == Role::value) {
      value_defaults_.push_back(default_of(column));
    } else if (column.role == Role::flag) {
      flag_defaults_.push_back(parse_flag(column.left_out) == '1' ? 1 : 0);
    }
  }

  /// Value of a column that a sparse row omits; NaN if the model does not know the word, which is
  /// an error when a row omits the column.
  static double default_of(const ArffColumn& column) {
    if (column.categories.empty()) return parse_number(column.left_out).value_or(0.0);
    const auto code = column.codes.find(column.left_out);
    return code == column.codes.end() ? std::nan("") : code->second;
  }

  /// Whether the first sample is a sparse row and what rows leave out is 0 in each column.
  [[nodiscard]] bool begins_sparse() const {
    ArffReader ahead = reader_;
    const auto is_zero = [](double value) { return value == 0.0; };
    return table_.categories.empty() && file_.target_columns.empty() &&
           std::ranges::all_of(value_defaults_, is_zero) && ahead.next_line() && ahead.take('{');
  }

  /// The values of the last row as entries of `sparse_`.
  void add_sparse_row() {
    const Vector& row = table_.values.values;
    for (std::size_t j = 0; j < row.size(); ++j) sparse_.add(static_cast<Index>(j), row[j]);
    sparse_.end_row();
    require_memory_of_bytes(file_.path, file_.text.size() + sparse_.bytes(), options_.context);
  }

  /// The table is sparse if that takes less memory and no cell is missing.
  void take_sparse() {
    const auto is_nan = [](double value) { return std::isnan(value); };
    table_.values = Matrix();
    if (is_better_sparse(length(sparse_.values), sparse_.rows, sparse_.cols) &&
        std::ranges::none_of(sparse_.values, is_nan)) {
      table_.sparse = std::make_shared<const SparseMatrix>(std::move(sparse_));
      return;
    }
    require_table_memory(file_.path, sparse_.rows, sparse_.cols, options_.context.memory_bytes);
    table_.values = dense(sparse_);
  }

  /// Reserves memory for one sample on each remaining line.
  void reserve_rows(std::size_t memory_bytes) {
    ArffReader ahead = reader_;
    Index rows = 0;
    while (ahead.next_line()) ++rows;
    const Index columns = length(table_.columns) + length(table_.multi_labels.names);
    require_table_memory(file_.path, rows, columns, memory_bytes);
    table_.values.values.reserve(to_size(rows) * table_.columns.size());
  }

  /// A row of default values.
  void begin_row() {
    Vector& values = table_.values.values;
    if (keeps_sparse_) values.clear();
    value_row_ = values.size();
    values.insert(values.end(), value_defaults_.begin(), value_defaults_.end());
    auto& flags = table_.multi_labels.values;
    flag_row_ = flags.size();
    flags.insert(flags.end(), flag_defaults_.begin(), flag_defaults_.end());
    for (auto& [name, words] : watched_) words.emplace_back();
    for (const ArffColumn& column : columns_) {
      if (column.role == Role::label) table_.labels.push_back(column.left_out);
      if (column.role == Role::id) table_.ids.push_back(column.left_out);
    }
  }

  void end_row() {
    if (keeps_sparse_) add_sparse_row();
    for (const ArffColumn& column : columns_) {
      const std::string& name = column.attribute.name;
      if (column.role == Role::label) {
        require_name(file_, reader_.line(), name, table_.labels.back(), file_.label_called,
                     options_);
      } else if (column.role == Role::id) {
        require_name(file_, reader_.line(), name, table_.ids.back(), "sample id", options_);
      }
    }
  }

  /// A required word.
  ArffWord value() {
    const ArffWord word = reader_.word();
    if (!word.text.empty() || word.quoted) return word;
    if (reader_.take('{')) {
      reader_.refuse(
          "a brace inside a row; kernmix does not read sample weights from ARFF, and text with "
          "braces must be quoted");
    }
    reader_.refuse("a value is empty; fill it in or remove the sample");
  }

  void read_dense() {
    for (std::size_t j = 0;; ++j) {
      const ArffWord word = value();
      if (j < columns_.size()) set(j, word);
      if (reader_.line_ended()) return require_count(j + 1);
      reader_.take(',');  // Weka also accepts blanks as separators
    }
  }

  void require_count(std::size_t values) {
    if (values == columns_.size()) return;
    reader_.refuse(fmt::format("{} value{} where the header has {} attributes", values,
                               values == 1 ? "" : "s", columns_.size()));
  }

  void read_sparse() {
    Index previous = -1;
    if (!reader_.take('}')) {
      do {
        previous = read_entry(previous);
      } while (reader_.take(','));
      if (!reader_.take('}')) reader_.refuse("the sparse row is not closed with }");
    }
    if (!reader_.line_ended()) reader_.refuse("text follows the } of the sparse row");
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const bool unknown =
          columns_[j].role == Role::value && std::isnan(value_defaults_[places_[j]]);
      if (!unknown || !std::isnan(table_.values.values[value_row_ + places_[j]])) continue;
      refuse_category(file_, reader_.line(), columns_[j].attribute.name, columns_[j].left_out,
                      columns_[j].categories);
    }
  }

  Index read_entry(Index previous) {
    const std::string index(value().text);
    const Index j = parse_position(index);
    if (j < 0 || j >= length(columns_)) {
      reader_.refuse(fmt::format("{} is not the number of an attribute, 0 to {}", in_quotes(index),
                                 columns_.size() - 1));
    }
    if (j <= previous) {
      reader_.refuse(
          fmt::format("attribute {} follows attribute {}; their numbers must ascend", j, previous));
    }
    set(to_size(j), value());
    return j;
  }

  void set(std::size_t j, const ArffWord& word) {
    const ArffColumn& column = columns_[j];
    if (column.role == Role::value) {
      table_.values.values[value_row_ + places_[j]] = number_of(column, word);
    } else if (column.role == Role::flag) {
      const std::string text = is_missing(word) ? "?" : text_of(column, word);
      table_.multi_labels.values[flag_row_ + places_[j]] = flags_.read(j, text, reader_.line());
    } else if (column.role == Role::label) {
      table_.labels.back() = text_of(column, word);
    } else if (column.role == Role::id) {
      table_.ids.back() = text_of(column, word);
    } else if (!watched_.empty() && watched_.contains(column.attribute.name)) {
      watched_.at(column.attribute.name).back() = word.text;
    }
  }

  /// The word, which a nominal attribute must list; empty when it is missing.
  [[nodiscard]] std::string text_of(const ArffColumn& column, const ArffWord& word) const {
    if (is_missing(word)) return "";
    std::string text(word.text);
    const auto& [name, kind, values] = column.attribute;
    if (values.empty() || column.listed.count(text) > 0) return text;
    throw DataError(fmt::format("{}{} is not one of the values that the header lists{}",
                                place(file_, reader_.line(), name), in_quotes(text),
                                did_you_mean(text, values)));
  }

  /// Whether the word stands for a missing value. \throws DataError unless missing values are kept;
  /// targets are never missing
  [[nodiscard]] bool is_kept_missing(const ArffColumn& column, const ArffWord& word) const {
    const auto is_code = [&](const std::string& code) { return same_label(code, word.text); };
    const bool code = std::ranges::any_of(options_.na, is_code);
    const bool target = std::ranges::count(file_.target_columns, column.attribute.name) > 0;
    if ((code || is_missing(word)) && options_.keep_missing && !target) return true;
    if (!code) return false;
    throw DataError(fmt::format("{}{} is a missing value; {}",
                                place(file_, reader_.line(), column.attribute.name),
                                in_quotes(word.text), remedy_of_missing(file_.of_model)));
  }

  [[nodiscard]] double number_of(const ArffColumn& column, const ArffWord& word) const {
    if (is_kept_missing(column, word)) return std::nan("");
    const std::string text = is_missing(word) ? "?" : text_of(column, word);
    if (!column.categories.empty()) {
      return code_of(file_, reader_.line(), column.attribute.name, text, column.codes,
                     column.categories);
    }
    const std::optional<double> number = parse_number(text);
    if (!number) refuse_value(file_, reader_.line(), column.attribute.name, word.text, options_);
    return *number;
  }

  const InputFile& file_;
  const ReadOptions& options_;
  ArffReader reader_;
  FlagReader flags_;
  Table table_;
  std::vector<ArffColumn> columns_;
  std::vector<std::size_t> places_;  ///< of each column among those of the same role
  std::unordered_map<std::string, std::vector<std::string>> watched_;
  Vector value_defaults_;
  std::vector<unsigned char> flag_defaults_;
  bool keeps_sparse_ = false;  ///< the values have one row, and go to sparse_
  SparseMatrix sparse_;
  std::size_t value_row_ = 0;  ///< where the row begins in the values
  std::size_t flag_row_ = 0;   ///< where the row begins in the label matrix
};

}  // namespace

bool looks_like_arff(std::string_view text) {
  constexpr std::string_view kKeyword = "@relation";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = trim(text.substr(0, end));
    if (!line.empty() && line.front() != '%') {
      return lowercase(line.substr(0, kKeyword.size())) == kKeyword;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

void read_arff_names(InputFile& file) {
  ArffReader reader(file.text, file.path);
  const ArffHeader header = read_arff_header(reader);
  for (const ArffAttribute& attribute : header.attributes) file.header.push_back(attribute.name);
  file.declared_labels = header.declared_labels;
}

FileTable read_arff(const InputFile& file, const ReadOptions& options) {
  return ArffRows(file, options).read();
}

}  // namespace kernmix
