#pragma once
/// \file
/// Faults of the cells of a CSV file, collected by column and kind.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "data/csv/notation.hpp"
#include "data/file.hpp"
#include "kernmix/table_summary.hpp"

namespace kernmix {

enum class Fault : char {
  missing,   ///< a cell without value
  notation,  ///< a number with another decimal mark or with groups
  percent,
  marked,  ///< a number with a currency, a unit, parentheses or Fortran's exponent
  date,
  truth,       ///< TRUE or FALSE
  word,        ///< another text that is not a finite number
  label,       ///< a missing label
  id,          ///< a missing sample id
  flag,        ///< not a label indicator
  mixed_flag,  ///< 0 in a column with -1, or the other way round
  unnamed,
  repeated,  ///< the name of a label or id column occurs twice
  fields,    ///< a line with another number of fields
  header     ///< a line that repeats the header
};
inline constexpr std::size_t fault_kinds = 15;

/// The kind of a cell that is neither a plain number nor missing.
[[nodiscard]] Fault fault_of(std::string_view cell, Notations notations);

/// The first fault of a kind in a column, and the number of them.
struct FaultCount {
  Index line = 0;
  Index cells = 0;
  std::string example;
};

/// What the cells of a column with Fault::date say about their order.
struct DateOrders {
  bool day_first = false;    ///< a first number is above 12 and the year is last
  bool month_first = false;  ///< a second one is
  bool all_times = true;     ///< 18.00.00: each may be a time with points
  bool no_date = false;      ///< one of them cannot be a date

  void add(std::string_view cell);
  void add(const DateOrders& others);
};

/// All faults of one column. The memory is bounded.
struct ColumnFaults {
  std::array<FaultCount, fault_kinds> of;
  Notations notations = Notations::all();  ///< common to all cells with Fault::notation
  std::unordered_set<std::size_t> words;   ///< hashes of different cells, up to most_words
  static constexpr std::size_t most_words = 1000;
  Index missing = 0;  ///< missing cells, whether or not they are a fault
  DateOrders orders;

  [[nodiscard]] const FaultCount& operator[](Fault fault) const {
    return of[static_cast<std::size_t>(fault)];
  }
};

/// The faults of a file.
class Problems {
 public:
  explicit Problems(NumberFormat format) : format_(format) {}

  /// Counts a cell, or several of the same kind. \param column  its position, or whole_lines
  void add(std::size_t column, Fault fault, Index line, std::string_view cell, Index cells = 1);
  /// Counts a cell that is not a number in the notation of the file. \returns its kind
  Fault add_value(std::size_t column, Index line, std::string_view cell);

  /// Says how many cells of a column are missing; nothing happens for a column without a fault.
  void note_missing(std::size_t column, Index cells);

  /// Adds the faults of other cells.
  void add(const Problems& others);

  [[nodiscard]] bool empty() const { return columns_.empty(); }
  [[nodiscard]] Index cells() const { return cells_; }
  /// Notations common to all numbers in another one; none if there is no number of this kind.
  [[nodiscard]] Notations notations() const { return any_notation_ ? notations_ : Notations(); }
  /// The notation in which the numbers of Fault::notation can be read as the others; nullopt if
  /// there is none, or more than one.
  std::optional<NumberFormat> better;
  [[nodiscard]] NumberFormat format() const { return format_; }
  /// The faults of a column, or null.
  [[nodiscard]] const ColumnFaults* of(std::size_t column) const;
  [[nodiscard]] const std::map<std::size_t, ColumnFaults>& columns() const { return columns_; }

  static constexpr std::size_t whole_lines = static_cast<std::size_t>(-1);

 private:
  NumberFormat format_;
  std::map<std::size_t, ColumnFaults> columns_;
  Notations notations_ = Notations::all();
  bool any_notation_ = false;
  Index cells_ = 0;
};

/// The faults in words with their remedies, by line. \param rows  number of samples in the file
[[nodiscard]] std::vector<TableProblem> describe(const Problems& problems, const InputFile& file,
                                                 const ReadOptions& options, Index rows);

/// Throws a DataError: the problem, or the first three and the command that lists all.
[[noreturn]] void refuse_problems(const Problems& problems, const InputFile& file,
                                  const ReadOptions& options, Index rows);

}  // namespace kernmix
