#pragma once
/// \file
/// Data: samples with named numeric columns, the meaning of labels, and column scaling.

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/given_matrix.hpp"
#include "kernmix/sparse_matrix.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

// The meaning of labels: two classes with their names and signs, K classes, several labels for each
// sample, or numbers.

/// The names of the two classes; y = -1 is `negative`, y = +1 is `positive`.
struct BinaryLabels {
  std::string negative;
  std::string positive;

  /// Finds the two classes. Numeric labels ("1", "1.0", "-1") are compared as numbers and ordered
  /// by value, others as text; the larger is positive unless `positive` names it.
  /// \throws DataError for fewer or more than two classes, naming them and counting samples
  [[nodiscard]] static BinaryLabels find(const std::vector<std::string>& labels,
                                         const std::string& positive = "");

  /// +1 / -1 for each label. \throws DataError naming the first unknown label and its row
  [[nodiscard]] Vector encode(const std::vector<std::string>& labels) const;
};

/// The names of K >= 2 classes in ascending order; class k is `names[k]`.
struct ClassLabels {
  std::vector<std::string> names;

  /// Finds the classes. Numeric labels ("1", "1.0", "-1") are compared as numbers and ordered by
  /// value, others as text and ordered by their bytes; a class is called as it is first written.
  /// \throws DataError for fewer than two classes
  [[nodiscard]] static ClassLabels find(const std::vector<std::string>& labels);

  /// The class of each label, 0 to K - 1. \throws DataError naming the first unknown label and its
  /// row
  [[nodiscard]] std::vector<Index> encode(const std::vector<std::string>& labels) const;
};

/// The outliers (negative) and the inliers (positive) among labels of two classes. The inliers are
/// the class that `inlier` names; otherwise a class called "inlier" or "normal"; otherwise the
/// class that is not called "outlier", "anomaly", "novelty", ... in upper or lower case; otherwise
/// the larger class, or the larger label of two classes of the same size.
struct NoveltyLabels {
  BinaryLabels classes;
  bool guessed = false;  ///< from the sizes of the classes; report it to the user

  /// nullopt if the labels are not two classes and `inlier` is empty.
  /// \throws DataError, ParameterError if `inlier` is given and is not one of two classes
  [[nodiscard]] static std::optional<NoveltyLabels> find(const std::vector<std::string>& labels,
                                                         const std::string& inlier = "");
};

/// The labels of n samples: each has any number of T labels.
struct MultiLabels {
  std::vector<std::string> names;  ///< T, unique
  std::vector<unsigned char>
      values;  ///< n x T, row-major: 1 where the sample has the label, else 0

  [[nodiscard]] Index samples() const { return names.empty() ? 0 : length(values) / length(names); }
  [[nodiscard]] bool has(Index sample, Index label) const {
    return values[to_size(sample * length(names) + label)] != 0;
  }
  /// +1 for samples with the label, -1 for the others.
  [[nodiscard]] Vector signs(Index label) const;
};

/// The names of labels in a MULAN file, `<labels><label name="..."/>...</labels>`, in its order;
/// those of nested labels follow the label that holds them.
/// \throws DataError for another document, a label without name, and names that occur twice
[[nodiscard]] std::vector<std::string> read_label_names(const std::string& file,
                                                        const Context& context = {});

/// The targets of regression: T numbers for each of n samples.
struct TargetNumbers {
  std::vector<std::string> names;  ///< T, unique; empty: one target without a name
  Matrix values;                   ///< n x T

  [[nodiscard]] bool empty() const { return values.values.empty(); }
};

/// The labels as numbers, for regression.
/// \throws DataError naming the first label that is not a finite number, and its row
[[nodiscard]] Vector numbers_of(const std::vector<std::string>& labels);

// Samples with named numeric columns, as read from files.

/// The columns of a table that came from one file.
struct FilePart {
  std::string name;     ///< the file's stem, or NAME of "NAME=FILE"
  Index first = 0;      ///< its first column in the table
  Index columns = 0;    ///< number of its columns
  bool sparse = false;  ///< LIBSVM: a numbered column beyond the largest index read is all zeros
};

/// A column whose numbers stand for words, such as a nominal attribute of an ARFF file.
struct Categories {
  std::string column;
  std::vector<std::string> values;  ///< unique; the number k stands for values[k]
  bool as_indicators = false;       ///< make_indicators() replaces the column
};

/// Columns of 0 and 1 that stand for the words of one column, or for its missing cells. Together
/// they have one divisor, so that a column of words counts as one column of numbers.
struct Indicators {
  std::string column;               ///< of the file
  std::vector<std::string> values;  ///< words, unique, one indicator each; empty: of missing cells
  /// Of missing cells, if some samples lack every view of the column: these views. Cells of samples
  /// that lack them all do not count as missing.
  std::vector<std::string> views = {};

  /// "COLUMN=WORD" for each word; of missing cells "COLUMN is missing".
  [[nodiscard]] std::vector<std::string> names() const;
  friend bool operator==(const Indicators&, const Indicators&) = default;
};

/// What training does with missing cells, which are NaN in a table.
enum class MissingRule {
  refuse,            ///< they are an error
  mean,              ///< the mean of the column's training samples takes their place
  median,            ///< their median
  mean_indicator,    ///< as mean, and the view `missing` has an indicator for each such column
  median_indicator,  ///< as median, with the same view
};
/// "refuse", "mean", "median", "mean+indicator" or "median+indicator", and back.
[[nodiscard]] MissingRule parse_missing_rule(std::string_view text);
[[nodiscard]] std::string missing_rule_name(MissingRule rule);
[[nodiscard]] constexpr bool has_indicators(MissingRule rule) {
  return rule == MissingRule::mean_indicator || rule == MissingRule::median_indicator;
}

/// What training does with samples that lack a whole view.
enum class AbsentRule {
  keep,    ///< they learn from the views that they have; the absent one contributes its mean
  drop,    ///< they are left out
  refuse,  ///< they are an error
};
/// "keep", "drop" or "refuse", and back. \throws ParameterError
[[nodiscard]] AbsentRule parse_absent_rule(std::string_view text);
[[nodiscard]] std::string absent_rule_name(AbsentRule rule);

/// The number of a missing cell.
inline constexpr double missing_cell = std::numeric_limits<double>::quiet_NaN();

/// Kernels on this name read the columns of all views.
inline constexpr const char* all_views = "all";

/// The view of the indicators of missing cells.
inline constexpr const char* missing_view = "missing";

/// n samples with D named columns and, if the file has them, labels and sample ids.
struct Table {
  std::string source;                ///< file name(s), for messages
  std::vector<std::string> columns;  ///< D names, unique
  Matrix values;                     ///< n x D; finite, or NaN where a cell is missing
  ConstMatrix borrowed;              ///< n x D numbers of the caller, used instead of values
  /// n x D finite numbers, used instead of both; such a table has no categories and no missing
  /// cell.
  std::shared_ptr<const SparseMatrix> sparse;
  std::vector<Categories> categories;  ///< of the columns that hold words
  std::vector<Indicators> indicators;  ///< of which some columns are; each has its columns in order
  /// ReadOptions::na, for the model: what stands for a missing cell beside an empty one.
  std::vector<std::string> missing_codes;
  /// What was recognised in the files and is worth saying: an encoding, decimal commas, row names.
  std::vector<std::string> notes;
  std::vector<std::string> labels;  ///< n labels as written, or empty
  /// Type of the labels before they became text: "text", "integer", "number" or "boolean"; empty
  /// if unknown, as for files.
  std::string label_type;
  /// Novelty detection: the label of inliers; empty: NoveltyLabels determines it.
  std::string inlier;
  MultiLabels multi_labels;      ///< n samples with any of T labels, or without names
  TargetNumbers targets;         ///< n x T numbers to predict, or empty
  std::vector<std::string> ids;  ///< n sample ids, unique, or empty
  Index unmatched = 0;          ///< ids dropped because they are missing in one of the joined files
  std::vector<FilePart> parts;  ///< one for each file, in order
  std::string unmatched_example;  ///< one of the dropped ids: "'s9', which b.csv lacks", or empty
  Index before = 0;  ///< of a part of a longer table: the samples before it, for their numbers
  [[nodiscard]] Index samples() const { return sparse ? sparse->rows : numbers().rows; }
  /// The number of sample i in column j.
  [[nodiscard]] double cell(Index i, Index j) const {
    return sparse ? (*sparse)(i, j) : numbers()(i, j);
  }
  /// `borrowed` if it is not empty, otherwise a borrowed view of `values`, which is empty in a
  /// sparse table.
  [[nodiscard]] ConstMatrix numbers() const { return borrowed.values.empty() ? values : borrowed; }
};

/// Table::inlier or, if it is empty, the inliers of NoveltyLabels; empty if neither is known.
[[nodiscard]] std::string inlier_of(const Table& table);

/// Called by every function that takes a table. \throws ParameterError if numbers, label matrix or
/// targets do not have the shape given by their names, or if there are both `values` and `borrowed`
void check_table(const Table& table);

/// A named set of columns.
struct View {
  std::string name = {};
  std::vector<std::string> columns = {};
};

enum class FileFormat { automatic, csv, tsv, libsvm, arff, npy };

struct ReadOptions {
  FileFormat format = FileFormat::automatic;  ///< automatic: by file name ending, then content
  bool header = true;  ///< false: CSV and TSV files begin with a sample; columns are "1".."D"
  std::string label_column = {};  ///< empty: no label is read (LIBSVM: always first)
  bool label_optional = false;    ///< a missing label column is not an error
  /// The word for "label" in messages if the column has another meaning, such as "group". This
  /// column must have a name; labels of LIBSVM text are not used for it.
  std::string label_called = "label";
  /// Several labels at once: columns that hold 0 and 1, -1 and 1, or false and true, as in a view's
  /// COLUMNS (one item each; positions count the columns of all files but the ids'). In LIBSVM
  /// text, where no other file has named columns, samples begin with a list of labels (`1,3 1:0.5`,
  /// or none at all) and the items are names, globs and ranges of numbers. Empty: labels that an
  /// ARFF file declares itself, as MEKA does, are read unless `label_column` or `only` says
  /// otherwise.
  std::vector<std::string> label_columns = {};
  /// Columns of numbers to predict, named as label_columns are; with another label they are an
  /// error.
  std::vector<std::string> target_columns = {};
  std::string id_column = {};            ///< empty: none; otherwise every file must have it
  std::vector<std::string> ignore = {};  ///< columns (names or globs) to ignore
  /// Files that are joined on ids need not have every sample: the columns of a file without the
  /// sample are NaN, so that it lacks their views. Files with labels or targets must have it.
  bool keep_absent = false;
  /// With keep_absent: files with other columns must have every sample, too. Empty: they need not.
  std::vector<std::string> may_be_absent = {};
  /// Missing cells of columns of numbers become NaN, which training fills (TrainOptions::missing);
  /// false: they are errors. Cells are missing that are empty, NA, N/A, NaN, null, None, ? or `.`
  bool keep_missing = false;
  /// LIBSVM text, sparse ARFF and sparse matrices of NPZ and AnnData files become Table::sparse if
  /// that takes less memory: is_better_sparse(). false: every table is dense.
  bool keep_sparse = false;
  std::vector<std::string> na =
      {};                 ///< more texts of missing cells; numbers are compared as numbers
  char decimal = '\0';    ///< of CSV and TSV: `.` or `,`; 0: recognised
  char thousands = '\0';  ///< between groups of three digits; 0: there are none
  /// Columns whose words become indicators: names, globs, "auto" for all columns with words, and
  /// "COLUMN=first<second<..." for ordered words, which become the numbers 0, 1, ...
  std::vector<std::string> categorical = {};
  /// If not empty, other columns of text files are not read and may contain anything. For
  /// prediction: the model's columns.
  std::vector<std::string> only = {};
  /// The views of these columns: a missing column is then an error before samples are read, which
  /// names its view.
  std::vector<View> only_views = {};
  /// For prediction: the model's categories, which code the words of a column as numbers for any
  /// order in the header. Without a value the order of the file is used.
  std::optional<std::vector<Categories>> categories = {};
  /// Memory budget (by default half of the machine's memory) and stopping of the reader.
  Context context = {};
};

/// Reads one or more files; several are joined on `id_column` in the order of the first file, or,
/// without an id column, side by side when they have the same number of rows. Labels that occur in
/// several files must agree.
///
/// A file may be given as "NAME=FILE"; otherwise its NAME is the stem of the file name. Column
/// names that occur in several files get the prefix "NAME."; numbered columns (LIBSVM, NPY:
/// "1".."D") get it whenever there are several files. \throws DataError naming file, line and
/// column of anything wrong, and the remedy \throws ParameterError for options that name no column
/// \throws ResourceError when the table does not fit in the memory allowed, or the context says
/// stop
[[nodiscard]] Table read_table(const std::vector<std::string>& files, const ReadOptions& options);

/// Resolves "NAME=COLUMNS" specifications; COLUMNS is a comma list of names, globs (`mean_*`),
/// 1-based positions or ranges (`3-12`, `first..last` by name; names go before positions). Without
/// specifications the result is one view "data" of every column, or one view per file when several
/// were joined. An exact name has priority over every other interpretation; a column selected
/// twice is used once. \throws ParameterError for an unknown column or a view that selects nothing,
/// naming near misses
[[nodiscard]] std::vector<View> resolve_views(const std::vector<std::string>& specifications,
                                              const Table& table);

/// Columns `names` of `table` as an n x |names| matrix, in that order.
/// Numbered columns that a LIBSVM file does not reach are zeros.
/// \throws DataError naming the missing column and the file
[[nodiscard]] Matrix select_columns(const Table& table, const std::vector<std::string>& names);

/// Reads a NumPy .npy array (float32/64 or integers, C or Fortran order, little or big endian) of
/// one to three dimensions. `shape` receives the dimensions; values come back in C order.
[[nodiscard]] Vector read_npy(const std::string& file, std::vector<Index>& shape,
                              const Context& context = {});

/// Writes a float64 array in C order as .npy 1.0.
/// \throws ParameterError when `values` do not fill `shape`, ResourceError when it cannot be
/// written
void write_npy(const std::string& file, const std::vector<Index>& shape, ConstSpan values);

/// One Gram or distance matrix, or a stack of them: .npy of shape (n, n), (n, n_train) or
/// (M, n, n_train), or a text file of numbers, separated by comma, semicolon, tab or blank. Text
/// may have the names of samples in its first line, its first column or both, as R and pandas write
/// them; they become GivenMatrix::names(). Precomputed kernels in LIBSVM's form are read, too,
/// without their labels. Regular .npy files are not loaded: their header is read and compared with
/// their length, their numbers are read when they are used, and the file must not change until
/// then. Text, pipes, and stacks in Fortran order, whose matrices are interleaved, are loaded.
/// \throws DataError for another shape, and naming the place of a value that is not finite
[[nodiscard]] std::vector<GivenMatrix> open_matrices(const std::string& file,
                                                     const Context& context = {});

/// The same, all in memory.
[[nodiscard]] std::vector<Matrix> read_matrices(const std::string& file,
                                                const Context& context = {});

// Column scaling, fitted on training data and kept in the model.

/// How the columns of a view are scaled (docs/reference/scaling.md).
enum class ScalingRule {
  automatic,     ///< one of the others, chosen from the values of the view
  none,          ///< as they are
  standard,      ///< each to mean 0 and standard deviation 1
  minmax,        ///< each to [0, 1]
  common,        ///< each to mean 0, and all by one divisor to a mean variance of 1
  root,          ///< the square root of each number, which must be >= 0
  standard_root  ///< square roots, then as standard
};

/// "auto", "none", "standard", "minmax", "common", "sqrt" or "sqrt+standard".
[[nodiscard]] ScalingRule parse_scaling_rule(std::string_view text);
[[nodiscard]] std::string scaling_name(ScalingRule rule);
/// The rule takes square roots.
[[nodiscard]] constexpr bool takes_roots(ScalingRule rule) {
  return rule == ScalingRule::root || rule == ScalingRule::standard_root;
}

/// The requested rules: one for all views, and others for views by name.
struct ScalingChoice {
  ScalingRule rule = ScalingRule::automatic;
  std::map<std::string, ScalingRule> of_view;

  ScalingChoice() = default;
  ScalingChoice(ScalingRule of_all) : rule(of_all) {}  // NOLINT: a rule is a choice
  [[nodiscard]] ScalingRule of(const std::string& view) const;
  friend bool operator==(const ScalingChoice&, const ScalingChoice&) = default;
};

/// "RULE" or "VIEW=RULE", each. \throws ParameterError for an unknown rule, and a second one for
/// all views or for one of them
[[nodiscard]] ScalingChoice parse_scaling(const std::vector<std::string>& rules);
/// The inverse.
[[nodiscard]] std::vector<std::string> scaling_texts(const ScalingChoice& choice);
/// \throws ParameterError for a rule of a view that is not one of `views`, naming near misses
void check_scaling_views(const ScalingChoice& choice, const std::vector<std::string>& views);

/// The columns that are scaled together, as one view. A column that several views share is scaled
/// in the first of them.
struct ScaledView {
  std::string view;
  ScalingRule asked = ScalingRule::automatic;
  ScalingRule rule = ScalingRule::automatic;  ///< the rule used, once fitted
  std::vector<std::string> columns;
};

/// x -> (x - offset) / divisor, column by column; for a column with `root`, sqrt(x) instead of x.
/// Columns without information in training, such as the indicator of a word that only new samples
/// have, become 0.
struct Scaling {
  Vector offset;   ///< standard and common: mean; minmax: minimum; none: 0
  Vector divisor;  ///< standard: population standard deviation; minmax: range; common: the root of
                   ///< the mean of the variances; none, and if that is 0: 1; of indicators:
                   ///< divisor_of_indicators(); 0: the column becomes 0
  std::vector<bool> root;
  Vector fill =
      {};  ///< what takes the place of a missing cell, before scaling; empty: no cell may miss

  /// The columns as one view. \param weights  how often each sample counts, > 0; {}: once
  /// \throws DataError for values that are too large, or negative with a square root
  [[nodiscard]] static Scaling fit(ScalingRule rule, const ConstMatrix& training,
                                   ConstSpan weights = {});
  /// Whether column j is unchanged.
  [[nodiscard]] bool keeps(Index j) const {
    return offset[to_size(j)] == 0.0 && divisor[to_size(j)] == 1.0 && !root[to_size(j)];
  }
  /// A number of column j, scaled.
  [[nodiscard]] double at(Index j, double raw) const {
    if (divisor[to_size(j)] == 0.0) return 0.0;
    return ((root[to_size(j)] ? std::sqrt(raw) : raw) - offset[to_size(j)]) / divisor[to_size(j)];
  }
  [[nodiscard]] Matrix apply(const ConstMatrix& raw) const;
};

}  // namespace kernmix
