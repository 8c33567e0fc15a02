#pragma once
/// \file
/// Data: samples with named numeric columns, what their labels mean, and column scaling.

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/given_matrix.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

// What labels mean: two classes with their names and signs, K classes, several labels at once, or
// numbers.

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

/// The outliers (negative) and the inliers (positive) among labels of two classes. `inlier` names
/// the inliers; else a class called "inlier" or "normal" is, else the one beside "outlier",
/// "anomaly", "novelty", ... in any case of letters, else the larger class; of two classes of the
/// same size the larger label.
struct NoveltyLabels {
  BinaryLabels classes;
  bool guessed = false;  ///< by the sizes of the classes: users must be told

  /// Nothing where the labels are not two classes, unless `inlier` says otherwise.
  /// \throws DataError, ParameterError where `inlier` is given and is none of two classes
  [[nodiscard]] static std::optional<NoveltyLabels> find(const std::vector<std::string>& labels,
                                                         const std::string& inlier = "");
};

/// Which of T labels each of n samples has: any number of them, also none.
struct MultiLabels {
  std::vector<std::string> names;  ///< T, unique
  std::vector<unsigned char>
      values;  ///< n x T, row-major: 1 where the sample has the label, else 0

  [[nodiscard]] Index samples() const { return names.empty() ? 0 : length(values) / length(names); }
  [[nodiscard]] bool has(Index sample, Index label) const {
    return values[to_size(sample * length(names) + label)] != 0;
  }
  /// +1 / -1 for each sample: whether it has the label or not.
  [[nodiscard]] Vector signs(Index label) const;
};

/// The names of labels in a MULAN file, `<labels><label name="..."/>...</labels>`, in its order;
/// those of nested labels follow the label that holds them.
/// \throws DataError for another document, a label without name, and names that occur twice
[[nodiscard]] std::vector<std::string> read_label_names(const std::string& file,
                                                        const Context& context = {});

/// What regression learns from: T numbers of each of n samples.
struct TargetNumbers {
  std::vector<std::string> names;  ///< T, unique; none: one target that has no name
  Matrix values;                   ///< n x T

  [[nodiscard]] bool empty() const { return values.values.empty(); }
};

/// The labels as numbers, which regression learns from.
/// \throws DataError naming the first label that is not a finite number, and its row
[[nodiscard]] Vector numbers_of(const std::vector<std::string>& labels);

// Samples with named numeric columns, as read from files.

/// The columns of a table that came from one file.
struct FilePart {
  std::string name;     ///< the file's stem, or NAME of "NAME=FILE"
  Index first = 0;      ///< its first column in the table
  Index columns = 0;    ///< how many, from there on
  bool sparse = false;  ///< LIBSVM: a numbered column beyond the largest index read is all zeros
};

/// A column whose numbers stand for words, as a nominal attribute of an ARFF file.
struct Categories {
  std::string column;
  std::vector<std::string> values;  ///< unique; the number k stands for values[k]
};

/// n samples with D named columns, and, where the file has them, labels and sample ids.
struct Table {
  std::string source;                ///< file name(s), for messages
  std::vector<std::string> columns;  ///< D names, unique
  Matrix values;                     ///< n x D, finite
  ConstMatrix borrowed;  ///< n x D numbers of the caller that are read instead of values
  std::vector<Categories> categories;  ///< of the columns that hold words
  std::vector<std::string> labels;     ///< n labels as written, or empty
  /// What the labels were before they became text: "text", "integer", "number" or "boolean"; empty
  /// where it is not known, as of files.
  std::string label_type;
  /// Novelty detection: the label of samples that are no novelty; empty: as NoveltyLabels finds it.
  std::string inlier;
  MultiLabels multi_labels;      ///< n samples with any of T labels, or without names
  TargetNumbers targets;         ///< n x T numbers to predict, or empty
  std::vector<std::string> ids;  ///< n sample ids, unique, or empty
  Index unmatched = 0;           ///< ids dropped because some joined file lacks them
  std::vector<FilePart> parts;   ///< one for each file, in order
  [[nodiscard]] Index samples() const { return numbers().rows; }
  /// `borrowed` where it holds numbers, else `values`, which it then borrows.
  [[nodiscard]] ConstMatrix numbers() const { return borrowed.values.empty() ? values : borrowed; }
};

/// Table::inlier, or where it is empty the inliers of NoveltyLabels; empty where neither is known.
[[nodiscard]] std::string inlier_of(const Table& table);

/// Whatever takes a table calls it. \throws ParameterError where its numbers are not of their
/// shape, or do not have a column for each name, or the label matrix or the targets do not, or
/// there are both `values` and `borrowed`
void check_table(const Table& table);

/// A named set of columns.
struct View {
  std::string name;
  std::vector<std::string> columns;
};

enum class FileFormat { automatic, csv, tsv, libsvm, arff, npy };

struct ReadOptions {
  FileFormat format = FileFormat::automatic;  ///< automatic: by file name ending, then content
  bool header = true;        ///< false: CSV and TSV files begin with a sample; columns are "1".."D"
  std::string label_column;  ///< empty: no label is read (LIBSVM: always first)
  bool label_optional = false;  ///< a missing label column is no error
  /// What messages call a label where the column holds something else, such as "group". Such a
  /// column has a name: the labels of LIBSVM text are not taken for it.
  std::string label_called = "label";
  /// Several labels at once: columns that hold 0 and 1, -1 and 1, or false and true, as in a view's
  /// COLUMNS (one item each; positions count the columns of all files but the ids'). In LIBSVM
  /// text, where no other file has named columns, samples begin with a list of labels (`1,3 1:0.5`,
  /// or none at all) and the items are names, globs and ranges of numbers. Empty: labels that an
  /// ARFF file declares itself, as MEKA does, are read unless `label_column` or `only` says
  /// otherwise.
  std::vector<std::string> label_columns;
  /// Columns of numbers to predict, named as label_columns are; with another label they are an
  /// error.
  std::vector<std::string> target_columns;
  std::string id_column;            ///< empty: none; otherwise every file must have it
  std::vector<std::string> ignore;  ///< columns (names or globs) to leave out
  /// When not empty, other columns of text files are not looked at: they may hold anything. For
  /// prediction: the model's columns.
  std::vector<std::string> only;
  /// For prediction: the model's categories, by which the words of a column become numbers,
  /// whatever the order in the header. Without a value the file's own order counts.
  std::optional<std::vector<Categories>> categories;
  /// What reading may take, without a budget half of the machine's memory, and when it stops.
  Context context;
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
/// were joined. An exact name goes before every other reading; a column selected twice is taken
/// once. \throws ParameterError for an unknown column or a view that selects nothing, naming near
/// misses
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
/// (M, n, n_train), or a text file of numbers without header, separated by comma, semicolon, tab or
/// blank. Regular .npy files stay where they are: their header is read and compared with their
/// length, their numbers are read when they are used, and the file must stay as it is until then.
/// Text, pipes, and stacks in Fortran order, whose matrices are interleaved, come into memory.
/// \throws DataError for another shape, and naming the place of a value that is not finite
[[nodiscard]] std::vector<GivenMatrix> open_matrices(const std::string& file,
                                                     const Context& context = {});

/// The same, all in memory.
[[nodiscard]] std::vector<Matrix> read_matrices(const std::string& file,
                                                const Context& context = {});

// Column scaling, fitted on training data and kept in the model.

/// How the columns of a view are scaled (docs/reference/scaling.md).
enum class ScalingRule {
  automatic,     ///< one of the others, which the numbers of the view decide
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

/// The rule that is asked for: one for all views, and others for views by name.
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
  ScalingRule rule = ScalingRule::automatic;  ///< that was taken, once it is fitted
  std::vector<std::string> columns;
};

/// x -> (x - offset) / divisor, column by column; of a column with `root`, sqrt(x) in place of x.
struct Scaling {
  Vector offset;   ///< standard and common: mean; minmax: minimum; none: 0
  Vector divisor;  ///< standard: population standard deviation; minmax: range; common: the root of
                   ///< the mean of the variances; none, and where that is 0: 1
  std::vector<bool> root;

  /// The columns as one view. \param weights  how often each sample counts, > 0; {}: once
  /// \throws DataError for values that are too large, or negative where their roots are asked for
  [[nodiscard]] static Scaling fit(ScalingRule rule, const ConstMatrix& training,
                                   ConstSpan weights = {});
  /// Column j is read as it is.
  [[nodiscard]] bool keeps(Index j) const {
    return offset[to_size(j)] == 0.0 && divisor[to_size(j)] == 1.0 && !root[to_size(j)];
  }
  /// A number of column j, scaled.
  [[nodiscard]] double at(Index j, double raw) const {
    return ((root[to_size(j)] ? std::sqrt(raw) : raw) - offset[to_size(j)]) / divisor[to_size(j)];
  }
  [[nodiscard]] Matrix apply(const ConstMatrix& raw) const;
};

}  // namespace kernmix
