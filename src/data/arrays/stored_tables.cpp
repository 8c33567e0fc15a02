#include "data/arrays/stored_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/column_places.hpp"
#include "data/csv.hpp"
#include "data/csv/remedies.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Positions of the columns that are features, or numbers to predict.
std::vector<Index> value_columns(const InputFile& file, const ReadOptions& options) {
  ReadOptions features = options;
  features.label_column.clear();
  features.id_column.clear();
  const std::vector<Role> roles = roles_of(file, features);
  std::vector<Index> places;
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (roles[j] == Role::flag) {
      throw DataError(
          fmt::format("{}: column {} is a feature of a matrix; label indicators are "
                      "read from text files and from columns of obs",
                      file.path, in_quotes(file.header[j])));
    }
    if (roles[j] == Role::value) places.push_back(static_cast<Index>(j));
  }
  return places;
}

void require_numbers(const InputFile& file, const Table& table, bool keep_missing) {
  const Matrix& values = table.values;
  for (std::size_t k = 0; k < values.values.size(); ++k) {
    const double value = values.values[k];
    if (std::isfinite(value) || (keep_missing && std::isnan(value))) continue;
    const std::size_t width = to_size(values.cols);
    const std::string at = fmt::format("{}: row {}, column {}", file.path, k / width + 1,
                                       in_quotes(table.columns[k % width]));
    if (std::isnan(value)) refuse_missing_number(at, file.of_model);
    throw DataError(fmt::format(
        "{}: {} is not a finite number; fill it in, remove the sample, or leave the column out "
        "with --ignore",
        at, value));
  }
}

/// The field as CSV writes it; never a blank line.
void append_field(std::string& text, const std::string& field) {
  const bool plain = !field.empty() && field.find_first_of("\t\r\n\"") == std::string::npos &&
                     trim(field).size() == field.size();
  if (plain) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
  text += '"';
}

/// As features, True and False are 1 and 0.
void number_booleans(std::vector<std::string>& texts) {
  const auto is_boolean = [](const std::string& text) {
    return text == "True" || text == "False" || text == "NA";
  };
  if (!std::ranges::all_of(texts, is_boolean)) return;
  for (std::string& text : texts) {
    if (text != "NA") text.assign(1, text == "True" ? '1' : '0');
  }
}

bool has_use(const InputFile& file, Role role, const std::string& name) {
  if (role != Role::value) return role != Role::skipped || file.watched.contains(name);
  return !file.annotation ||
         std::ranges::find(file.target_columns, name) != file.target_columns.end();
}

}  // namespace

FileTable StoredMatrix::read(const InputFile& file, const ReadOptions& options) const {
  FileTable result;
  result.lines = index_range(1, rows_ + 1);
  const std::vector<Index> places = value_columns(file, options);
  Table& table = result.table;
  for (const Index j : places) table.columns.push_back(file.header[to_size(j)]);
  table.values.rows = rows_;
  table.values.cols = length(places);
  if (places.empty()) return result;
  const Index width = length(file.header);
  Vector all;
  if (sparse_) {
    const StoredSparse stored = sparse_(options.context);
    if (take_sparse(stored, places, file, options, table)) return result;
    all = dense_numbers(stored, rows_, width, file.path, options.context);
  } else {
    require_table_memory(file.path, rows_, width, options.context.memory_bytes);
    all = numbers_(options.context);
  }
  if (length(places) < width) {  // the columns move to the left
    for (Index i = 0; i < rows_; ++i) {
      for (Index k = 0; k < length(places); ++k) {
        all[to_size(i * length(places) + k)] = all[to_size(i * width + places[to_size(k)])];
      }
    }
    all.resize(to_size(rows_ * length(places)));
  }
  table.values.values = std::move(all);
  mark_missing(table.values.values, options);
  require_numbers(file, table, options.keep_missing);
  return result;
}

/// Whether the table becomes sparse: without missing cells, which --na may name.
bool StoredMatrix::take_sparse(const StoredSparse& stored, const std::vector<Index>& places,
                               const InputFile& file, const ReadOptions& options,
                               Table& table) const {
  const Index width = length(file.header);
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!options.keep_sparse || !options.target_columns.empty() ||
      !codes_of_missing(options).empty() ||
      !is_better_sparse(length(stored.parts.values), rows_, length(places)) ||
      !std::ranges::all_of(stored.parts.values, is_finite)) {
    return false;
  }
  table.sparse = std::make_shared<const SparseMatrix>(
      sparse_numbers(stored, rows_, width, file.path, options.context));
  if (length(places) < width) {
    std::vector<bool> left_out(to_size(width), true);
    for (const Index j : places) left_out[to_size(j)] = false;
    leave_out(table, left_out);
  }
  table.values = Matrix();
  return true;
}

FileTable StoredFrame::read(const InputFile& file, const ReadOptions& options) const {
  const std::vector<Role> roles = roles_of(file, options);
  InputFile columns = file;
  columns.header.clear();
  columns.format = FileFormat::tsv;
  columns.separator = '\t';
  columns.numbered = true;  // rows count from 1
  std::vector<std::vector<std::string>> texts;
  std::size_t held = 0;
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (!has_use(file, roles[j], file.header[j])) continue;
    columns.header.push_back(file.header[j]);
    texts.push_back(columns_[j](options.context));
    for (const std::string& text : texts.back()) held += sizeof(std::string) + text.size();
    require_memory_of_bytes(file.path, held, options.context);
    if (roles[j] == Role::value) number_booleans(texts.back());
    if (length(texts.back()) == rows_) continue;
    throw DataError(fmt::format("{}: column {} has {} entries for {} samples", file.path,
                                in_quotes(file.header[j]), texts.back().size(), rows_));
  }
  FileTable result;
  result.table.values.rows = rows_;
  if (!texts.empty()) {
    for (std::size_t i = 0; i < to_size(rows_); ++i) {
      for (std::size_t j = 0; j < texts.size(); ++j) {
        if (j > 0) columns.text += '\t';
        append_field(columns.text, texts[j][i]);
      }
      if (i % 1024 == 0) {
        stop_reading_if_asked(file.path, options.context);
        require_memory_of_bytes(file.path, held + columns.text.size(), options.context);
      }
      columns.text += '\n';
    }
    texts.clear();
    ReadOptions plain = options;
    plain.decimal = '.';
    plain.thousands = '\0';
    result = read_csv(columns, plain);
    if (length(result.lines) != rows_) {
      throw DataError(file.path + ": a sample has only empty texts in the columns that are read");
    }
  }
  result.lines = index_range(1, rows_ + 1);
  return result;
}

}  // namespace kernmix
