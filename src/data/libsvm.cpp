#include "data/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/label_lists.hpp"
#include "data/libsvm_text.hpp"
#include "data/matrices/libsvm_kernel.hpp"
#include "data/number.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr Index largest_index = 2147483647;  // as in LIBSVM

/// A table of fewer columns keeps all of them, a wider one those that hold an entry.
constexpr Index wide = Index{1} << 16;

struct Entry {
  Index row;
  Index index;  ///< as in the file
  double value;
};

/// Whether the index 0 is in use: in several lines, because one may be a slip.
bool counts_from_zero(std::string_view text) {
  Index count = 0;
  for (LibsvmLines lines(text); count < 2 && lines.next();) {
    std::string_view line = lines.content();
    for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) {
      if (token.substr(0, 2) != "0:") continue;
      ++count;
      break;
    }
  }
  return count > 1;
}

class LibsvmReader {
 public:
  /// \param lists  samples begin with a list of labels, which may be empty
  /// \param from_zero  the model reads a column 0
  /// \param sparse  ReadOptions::keep_sparse
  LibsvmReader(const InputFile& file, bool lists, bool from_zero, bool sparse,
               const ReadOptions& options)
      : file_(file),
        options_(options),
        codes_(codes_of_missing(options)),
        lists_(lists),
        sparse_(sparse),
        first_(from_zero ? 0 : 1) {}

  void read(const Context& context) {
    std::string_view text = file_.text;
    while (!text.empty()) {
      stop_reading_if_asked(file_.path, context);
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      line = trim(line.substr(0, line.find('#')));
      if (line.empty()) continue;
      read_sample(line);
      const std::size_t beside = file_.text.size() + entries.capacity() * sizeof(Entry) +
                                 lines.capacity() * (sizeof(Index) + sizeof(std::string));
      const bool sparse = keeps_sparse();
      require_table_memory(
          file_.path, sparse ? 0 : length(lines), kept_columns(), context.memory_bytes,
          beside + used_.size() * kBytesOfUsed + (sparse ? entries.size() * kBytesOfEntry : 0));
    }
    if (lines.empty()) throw DataError(file_.path + ": holds no samples");
  }

  /// The numbers of the columns that the table keeps, ascending: all but those of a wide one that
  /// hold no entry.
  [[nodiscard]] std::vector<Index> columns() const {
    if (last_ <= wide) return index_range(first_, last_ + 1);
    std::vector<Index> kept(used_.begin(), used_.end());
    std::ranges::sort(kept);
    return kept;
  }

  [[nodiscard]] bool from_zero() const { return first_ == 0; }

  /// Whether the table is a sparse one.
  [[nodiscard]] bool keeps_sparse() {
    return sparse_ && !lacks_ && is_better_sparse(length(entries), length(lines), kept_columns());
  }

  std::vector<Entry> entries;
  std::vector<std::string> labels;
  std::vector<Index> lines;

 private:
  static constexpr std::size_t kBytesOfEntry = sizeof(double) + sizeof(std::int32_t);
  static constexpr std::size_t kBytesOfUsed = 64;  ///< of a number in a set, about

  /// As many as columns() has.
  [[nodiscard]] Index kept_columns() {
    for (; last_ > wide && counted_ < entries.size(); ++counted_) {
      used_.insert(entries[counted_].index);
    }
    return last_ <= wide ? last_ + 1 - first_ : static_cast<Index>(used_.size());
  }

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw DataError(fmt::format("{}:{}: {}", file_.path, line_, sentence));
  }

  void read_sample(std::string_view line) {
    std::string_view rest = line;
    const std::string_view first = next_token(rest);
    const bool labelled = first.find(':') == std::string_view::npos;
    if (lists_) {
      labels.push_back(ordered_label_list(labelled ? first : "", file_.path, line_));
    } else {
      take_label(labelled, first);
    }
    if (labelled) line = rest;
    const std::size_t first_entry = entries.size();
    for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) {
      last_ = std::max(last_, read_entry(token));
    }
    sort_entries(std::span(entries).subspan(first_entry));
    lines.push_back(line_);
  }

  /// Puts the entries of a sample into the order of their indices.
  void sort_entries(std::span<Entry> own) const {
    if (!std::ranges::is_sorted(own, {}, &Entry::index)) std::ranges::sort(own, {}, &Entry::index);
    const auto twice = std::ranges::adjacent_find(own, {}, &Entry::index);
    if (twice == own.end()) return;
    refuse(fmt::format("index {} occurs twice; write one value for each index", twice->index));
  }

  void take_label(bool labelled, std::string_view label) {
    if (!lines.empty() && labelled == labels.empty()) {
      refuse(labelled ? "a label here, but none on the lines before"
                      : "no label here, but one on the lines before");
    }
    if (!labelled) return;
    if (is_missing_name(label, options_)) {
      refuse("the label is missing; fill it in or remove the sample" + remedy_of_name(label));
    }
    labels.emplace_back(label);
  }

  /// Decides at the first index 0 whether the file counts from 0.
  void take_zero(std::string_view token) {
    if (first_ == 1) {
      if (const auto kernel = find_libsvm_kernel(file_.text, file_.path, options_.context)) {
        refuse(in_quotes(token) + ": " + refusal_of_kernel(*kernel, file_.path));
      }
    }
    if (first_ == 1 && !counts_from_zero(file_.text)) {
      refuse(in_quotes(token) +
             ": indices start at 1, and no other line has the index 0; if the file counts from 0, "
             "write it with zero_based=False of scikit-learn's dump_svmlight_file");
    }
    first_ = 0;
  }

  Index read_entry(std::string_view token) {
    const std::size_t colon = token.find(':');
    const char* const end = token.data() + std::min(colon, token.size());
    Index index = -1;
    const auto parsed = std::from_chars(token.data(), end, index);
    if (token.substr(0, 4) == "qid:") {
      refuse(in_quotes(token) +
             " is a query number, which only ranking uses, and kernmix does not learn rankings: "
             "remove qid");
    }
    if (colon != std::string_view::npos && colon > 0 && parsed.ptr == token.data()) {
      refuse(in_quotes(token) +
             " has a name where LIBSVM's form has an index: number the features from 1, or write "
             "a CSV file");
    }
    if (colon == std::string_view::npos || parsed.ptr != end || parsed.ec != std::errc()) {
      refuse(in_quotes(token) + " is not of the form index:value");
    }
    if (index > largest_index) {
      refuse(fmt::format("index {}: indices are at most {}; renumber the columns in use", index,
                         largest_index));
    }
    if (index < 0) refuse(in_quotes(token) + ": indices start at 1");
    if (index == 0 && !asked_) take_zero(token);
    asked_ = asked_ || index == 0;
    entries.push_back({length(lines), index, value_of(index, token.substr(colon + 1))});
    return index;
  }

  double value_of(Index index, std::string_view text) {
    const std::optional<double> value = parse_number(text);
    if (is_missing_cell(text, options_) ||
        (value && std::ranges::find(codes_, *value) != codes_.end())) {
      if (!options_.keep_missing) {
        refuse_missing(file_, line_, std::to_string(index), text);
      }
      lacks_ = true;
      return missing_cell;
    }
    if (value) return *value;
    refuse(fmt::format("column '{}': {} is not a finite number{}", index, in_quotes(text),
                       text.find(',') == std::string_view::npos
                           ? "; correct it, or remove the sample"
                           : "; write numbers with a decimal point (tr , . < FILE > NEW)"));
  }

  const InputFile& file_;
  const ReadOptions& options_;
  Vector codes_;        ///< ReadOptions::na that are numbers
  bool lacks_ = false;  ///< a missing value was kept
  bool lists_;
  bool sparse_;
  Index line_ = 0;
  Index first_;                     ///< 0 or 1, the smallest possible index
  bool asked_ = false;              ///< an index 0 was found and accepted
  Index last_ = 0;                  ///< the largest index
  std::unordered_set<Index> used_;  ///< indices of a wide table
  std::size_t counted_ = 0;         ///< entries whose indices are there
};

void fill_table(LibsvmReader& reader, Index rows, const std::vector<Index>& columns, Table& table) {
  const auto place = [&](const Entry& entry) {
    return std::ranges::lower_bound(columns, entry.index) - columns.begin();
  };
  if (!reader.keeps_sparse()) {
    table.values = Matrix(rows, length(columns));
    for (const Entry& entry : reader.entries) table.values(entry.row, place(entry)) = entry.value;
    return;
  }
  auto sparse = std::make_shared<SparseMatrix>();
  sparse->cols = length(columns);
  for (const Entry& entry : reader.entries) {
    while (sparse->rows < entry.row) sparse->end_row();
    sparse->add(place(entry), entry.value);
  }
  while (sparse->rows < rows) sparse->end_row();
  table.sparse = std::move(sparse);
}

}  // namespace

FileTable read_libsvm(const InputFile& file, const ReadOptions& options) {
  // The column has the prefix "NAME." among several files.
  const bool of_model = std::ranges::any_of(options.only, [&](const std::string& column) {
    return column == "0" || column == file.name + ".0";
  });
  const bool sparse = options.keep_sparse && options.target_columns.empty();
  LibsvmReader reader(file, !options.label_columns.empty(), of_model, sparse, options);
  reader.read(options.context);
  const Index rows = length(reader.lines);

  FileTable result;
  const std::vector<Index> columns = reader.columns();
  for (const Index j : columns) result.table.columns.push_back(std::to_string(j));
  fill_table(reader, rows, columns, result.table);
  const auto is_empty = [](const std::string& list) { return list.empty(); };
  if (!std::all_of(reader.labels.begin(), reader.labels.end(), is_empty)) {
    result.table.labels = std::move(reader.labels);
  }
  const std::vector<std::string>& labels = result.table.labels;
  const auto list = std::ranges::find_if(
      labels, [](const std::string& label) { return label.find(',') != std::string::npos; });
  if (list != labels.end() && options.label_columns.empty() && options.only.empty()) {
    result.table.notes.push_back(fmt::format(
        "{}: the label {} is one class; --labels '*' learns lists of labels, and numbers have a "
        "decimal point",
        file.path, in_quotes(*list)));
  }
  if (reader.from_zero() && !of_model) {
    result.table.notes.push_back(fmt::format(
        "{}: indices count from 0; its columns have the names 0, 1, 2, ..., as in the file",
        file.path));
  }
  result.lines = std::move(reader.lines);
  return result;
}

}  // namespace kernmix
