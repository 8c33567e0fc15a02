#pragma once
/// \file
/// Kernels: entries on demand, kernel functions, normalisations, relative widths, and the language
/// that describes families of kernels.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/given_matrix.hpp"
#include "kernmix/repair.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

// One base kernel, independent of its storage: entries on demand.

/// The samples that are compared, and how. It is the same for kernels that are functions of the
/// same distances (or products), such as Gaussians of several widths on the same columns.
struct SampleComparison {
  const void* left;   ///< address of the left samples
  const void* right;  ///< address of the right samples
  Index columns;      ///< columns of both
  Index stride;       ///< row stride of the left samples: the same numbers may have several layouts
  int how;
  /// An arbitrary order, for maps.
  [[nodiscard]] bool operator<(const SampleComparison& other) const {
    return std::tie(left, right, columns, stride, how) <
           std::tie(other.left, other.right, other.columns, other.stride, other.how);
  }
};

class LandmarkSource;

/// Entries of one base kernel between `rows()` samples on the left and `cols()` samples on the
/// right. In training both are the same samples and the matrix is symmetric positive semidefinite;
/// in prediction the left samples are new and the right ones are support vectors.
/// Derive from this class to define your own kernel.
/// Implementations are immutable and safe to call from several threads at once.
class KernelSource {
 public:
  virtual ~KernelSource() = default;

  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index cols() const = 0;

  /// out[r * length(col_index) + c] = k(left[row_index[r]], right[col_index[c]]), row-major.
  virtual void block(std::span<const Index> row_index, std::span<const Index> col_index,
                     MutableSpan out) const = 0;

  /// Sources with the same comparison share the first of the two steps of block(): compare() and
  /// finish().
  [[nodiscard]] virtual std::optional<SampleComparison> comparison() const { return std::nullopt; }
  /// Distances or products, in the layout of block().
  virtual void compare(std::span<const Index> row_index, std::span<const Index> col_index,
                       MutableSpan out) const {
    block(row_index, col_index, out);
  }
  /// Converts the result of compare() to entries, in place.
  virtual void finish(std::span<const Index> /*row_index*/, std::span<const Index> /*col_index*/,
                      MutableSpan /*values*/) const {}

  /// A training matrix in memory: entry (i, j) = scale * first[i stride + j]. Such a kernel has no
  /// comparison().
  struct Stored {
    const double* first;
    Index stride;
    double scale;
  };
  [[nodiscard]] virtual std::optional<Stored> stored() const { return std::nullopt; }

  /// The samples at which the kernel may differ from zero, ascending, and the kernel between them;
  /// nullopt: all samples. A bank stores this part alone.
  struct Part;
  [[nodiscard]] virtual std::optional<Part> part() const;

  /// True if block() reads a file, so that a few large blocks are faster than many small ones.
  [[nodiscard]] virtual bool read_each_time() const { return false; }

  /// out[i] = k(x_i, x_i) of left sample i, for i = 0 .. rows()-1.
  virtual void left_diagonal(MutableSpan out) const = 0;
  /// out[j] = k(x_j, x_j) of right sample j, for j = 0 .. cols()-1.
  virtual void right_diagonal(MutableSpan out) const = 0;

  /// An upper bound on the rank of the training matrix that is known without computing it
  /// (for example the number of columns for the linear kernel); rows() if unknown.
  [[nodiscard]] virtual Index rank_bound() const { return rows(); }

  /// True if the training matrix is symmetric positive semidefinite by construction; it is then
  /// not tested.
  [[nodiscard]] virtual bool always_psd() const { return false; }

  /// True if the training matrix is positive semidefinite only on vectors of sum 0: it is tested
  /// on these, and never factored.
  [[nodiscard]] virtual bool definite_on_differences_only() const { return false; }

  /// False if the entries are computed from columns, to which no repair of given matrices applies.
  [[nodiscard]] virtual bool is_repairable() const { return true; }

  /// Not null for a kernel of landmarks, K = F F' by construction, with few columns of F: a bank
  /// keeps F.
  [[nodiscard]] virtual const LandmarkSource* by_landmarks() const { return nullptr; }

  /// Bytes that this source itself keeps alive beyond the data it shares with others.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }
};

using KernelSourcePtr = std::shared_ptr<const KernelSource>;

/// The samples that have a view, among all.
class PresentSamples {
 public:
  /// \param samples  ascending, in 0 .. all-1
  PresentSamples(Index all, std::vector<Index> samples);

  [[nodiscard]] Index all() const { return length(place_); }
  [[nodiscard]] const std::vector<Index>& samples() const { return samples_; }
  /// Which of samples() sample i is, or -1.
  [[nodiscard]] Index place(Index i) const { return place_[to_size(i)]; }

 private:
  std::vector<Index> samples_;
  std::vector<Index> place_;
};
using PresentSamplesPtr = std::shared_ptr<const PresentSamples>;

struct KernelSource::Part {
  PresentSamplesPtr left;  ///< in training the same samples as on the right
  PresentSamplesPtr right;
  KernelSourcePtr source;  ///< |left samples| x |right samples|
};

/// A kernel of samples of which some lack its view: `present` between those that have it, and zero
/// for the others, as if the feature vector of an absent sample were zero.
/// \throws ParameterError for another shape of `present`
[[nodiscard]] KernelSourcePtr present_source(KernelSourcePtr present, PresentSamplesPtr left,
                                             PresentSamplesPtr right);

// Base kernel functions: a closed set of small values. Each lives in one file of
// `src/kernel/functions/`; the registry in `src/kernel/function.cpp` has one line for each.

/// The input of a kernel function.
enum class KernelInput {
  features,     ///< columns of a view
  nonnegative,  ///< columns of a view that must be >= 0 (read unscaled)
  gram,         ///< a given Gram matrix
  distance      ///< a given matrix of distances
};

/// A kernel function with all its parameters fixed, e.g. {"rbf", {{"gamma", 0.5}}}.
/// Plain data: the result of an expression, and the content of a model file.
struct KernelFunction {
  std::string name;                          ///< registered name: "linear", "poly", "rbf", ...
  std::map<std::string, double> parameters;  ///< every parameter, defaults filled in
  [[nodiscard]] std::string text() const;    ///< "rbf(gamma=0.5)": parses back to the same value
  friend bool operator==(const KernelFunction&, const KernelFunction&) = default;
};

/// One row of `kernmix list`.
struct KernelFunctionInfo {
  std::string name;
  std::string formula;                        ///< "exp(-gamma |x - z|^2)"
  std::string parameters = "none";            ///< "gamma > 0 or width > 0 (gamma = 1 / width)"
  KernelInput input = KernelInput::features;  ///< input when applied to a view
  bool on_distances = false;                  ///< may also be applied to a given distance matrix
  bool always_psd = false;
};
[[nodiscard]] const std::vector<KernelFunctionInfo>& kernel_functions();
/// The input in words: "columns", "columns or distances", "columns >= 0", "Gram matrix" or
/// "distances".
[[nodiscard]] std::string input_name(const KernelFunctionInfo& kernel);

/// Checks the name, fills in defaults, checks ranges.
/// \throws ParameterError "unknown kernel 'rfb', did you mean 'rbf'?", "rbf: gamma must be > 0, got
/// -1"
[[nodiscard]] KernelFunction make_kernel_function(std::string_view name,
                                                  const std::map<std::string, double>& parameters);

/// The kernel `function` between the rows of `left` and those of `right` (same columns).
/// Numbers are shared or borrowed, not copied; pass the same ones twice for a training kernel.
[[nodiscard]] KernelSourcePtr feature_source(const KernelFunction& function, ConstMatrix left,
                                             ConstMatrix right);

/// A given Gram matrix (function "precomputed") or a distance-based kernel of a given distance
/// matrix, left samples x right samples. Numbers of a matrix that is not in memory are looked at
/// when they are read. \param diagonal  of a square Gram matrix if it is known; {}: it is read
/// \param name  of the matrix, for messages
/// \throws DataError for one that is not finite or, of distances, negative
[[nodiscard]] KernelSourcePtr matrix_source(const KernelFunction& function, GivenMatrix matrix,
                                            Vector diagonal = {}, const std::string& name = "");

// Kernel normalisation, fitted on the training kernel and applied the same way to test kernels.

/// The steps of a normalisation, in this order: cosine, centring, scaling.
/// Written as "none", "variance", "trace", "unit-trace", "cosine", "center" or joined by '+', e.g.
/// "cosine+variance".
struct Normalization {
  /// trace: tr K / n = 1. unit_trace: tr K = 1. variance: tr K / n - 1'K1 / n^2 = 1, the variance
  /// of the samples in the feature space of the kernel (multiplicative normalisation: Zien and Ong,
  /// Multiclass multiple kernel learning, ICML 2007; Kloft, Brefeld, Sonnenburg and Zien, lp-norm
  /// multiple kernel learning, JMLR 12, 2011, section 4.1).
  enum class Scale { none, trace, unit_trace, variance };
  bool cosine = false;  ///< k(x,z) / sqrt(k(x,x) k(z,z))
  bool center = false;  ///< H K H, H = I - 11'/n: training mean of the feature map removed
  Scale scale = Scale::trace;
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Normalization&, const Normalization&) = default;
};

/// \throws ParameterError for an unknown word, naming the known ones
[[nodiscard]] Normalization parse_normalization(std::string_view text);
/// The same, and nullopt for "auto", the default of the problem.
[[nodiscard]] std::optional<Normalization> parse_normalization_choice(std::string_view text);

/// The numbers of a normalisation that is fitted on the training kernel; a model stores them.
struct FittedNormalization {
  /// As requested; with `center` added to `variance` if the kernel is nearly constant:
  /// fit_normalization().
  Normalization rule;
  double scale = 1.0;   ///< the normalised kernel is scale * (cosined, centred kernel)
  Vector column_means;  ///< centring: training mean of each column of the (cosined) kernel,
                        ///< otherwise {}
  double grand_mean = 0.0;
  Vector weights = {};  ///< centring: weight of each right-hand sample in a mean; {}: 1
  /// centring: the right-hand samples whose mean is the origin, ascending; {}: all
  std::vector<Index> origin = {};
};

/// The part of the training kernel that `variance` of fit_normalization() reads.
struct VarianceSample {
  std::span<const Index> samples;  ///< samples that are compared; {}: all
  std::optional<double>
      mean_entry{};  ///< w'Kw / (1'w)^2 of these, if it is known and `cosine` is not requested
};

/// Computes the statistics from the training kernel: one pass over it for centring, its diagonal
/// for the trace, entries between `sample` for the variance. A kernel whose diagonal is all zero
/// keeps scale 1 (it stays the zero kernel).
///
/// The variance of a nearly constant kernel is a small share of tr K / n, which is lost in
/// single precision: below 1e-3 the kernel is also centred, which does not change answers whose
/// dual variables sum to zero. A constant kernel is zero after centring: if centring leaves
/// 1e-12 of the trace, which may be rounding, the scale is 0. A kernel with negative variance
/// is not positive semidefinite and keeps the scale 1.
/// \param weights  weight of each sample in traces, means and the variance, > 0; {}: 1
/// \throws ParameterError when `training` is not square
[[nodiscard]] FittedNormalization fit_normalization(const Normalization& rule,
                                                    const KernelSource& training,
                                                    const Context& context = {},
                                                    const VarianceSample& sample = {},
                                                    ConstSpan weights = {});

/// The same normalisation about the mean of the training samples `origin`, in the feature space of
/// the kernel: scale * [k(i,j) - m_i - m_j + m], with m_i the mean of k(i,.) over `origin` and m
/// the mean of m_i over `origin`, which is positive semidefinite for any of them. A kernel that
/// this makes constant gets the scale 0. \param origin  ascending; {}: all \param weights  of the
/// training samples, > 0; {}: 1
[[nodiscard]] FittedNormalization about_origin(FittedNormalization fitted,
                                               const KernelSource& training,
                                               std::vector<Index> origin, ConstSpan weights,
                                               const Context& context = {});

/// The normalised kernel. For centring, `training.column_means` must be those of the right-hand
/// samples in their order. A new sample (not `left_is_training`) is centred by its mean kernel with
/// the right-hand samples, which are therefore all training samples; or any of them, where the sum
/// over them is with coefficients that add up to zero and what is the same for all vanishes.
/// \throws ParameterError when centring lacks the means of the right-hand samples
[[nodiscard]] KernelSourcePtr normalized_source(KernelSourcePtr source, FittedNormalization fitted,
                                                bool left_is_training);

// Widths relative to the data: width = factor * a distance between training samples
// (docs/reference/kernels.md).

/// A distance that is measured on the training samples.
enum class TypicalDistance {
  median,  ///< of all pairs of samples that differ
  near     ///< of one pair in a thousand of them, but at least median / 4
};
/// "median" or "near".
[[nodiscard]] std::string distance_name(TypicalDistance distance);
/// \throws ParameterError naming the known ones
[[nodiscard]] TypicalDistance parse_distance(const std::string& name);

struct RelativeWidth {
  double factor = 1.0;
  TypicalDistance distance = TypicalDistance::median;
  [[nodiscard]] std::string text() const;  ///< "median*0.5", "near"
  friend bool operator==(const RelativeWidth&, const RelativeWidth&) = default;
};

/// Both are 1 if all samples are equal; the kernel is then the same for every width.
struct TypicalDistances {
  double median = 1.0;
  double near = 1.0;
  [[nodiscard]] double width(const RelativeWidth& relative) const {
    return relative.factor * (relative.distance == TypicalDistance::near ? near : median);
  }
};

/// All of up to 1000 samples, otherwise 1000 that are evenly spaced in lexicographic order, so that
/// the order of the rows does not matter.
[[nodiscard]] std::vector<Index> representative_samples(const ConstMatrix& samples);

/// Typical distances between samples, in the distance of `function`: |x - z|, |x - z|_1 for
/// `laplacian`, sum (x - z)^2 / (x + z) for `chi2`. All pairs of representative_samples() are used.
/// \param samples  as `function` reads them, one in each row
/// \param weights  weight of each sample, > 0; {}: 1
[[nodiscard]] TypicalDistances typical_distances(const KernelFunction& function,
                                                 const ConstMatrix& samples,
                                                 ConstSpan weights = {});

/// The same for a given distance matrix; with more than 1000 samples, evenly spaced rows.
[[nodiscard]] TypicalDistances typical_given_distances(const GivenMatrix& distances,
                                                       ConstSpan weights = {});

/// Whether `function` has a width.
[[nodiscard]] bool takes_width(const KernelFunction& function);

/// `function` with the gamma of `width`. \throws ParameterError when the width is out of range
[[nodiscard]] KernelFunction with_width(const KernelFunction& function, double width);

// The kernel language: `rbf(gamma=2^-6..2^3) on color, each`, `poly(degree=1..3) on all`,
// `chi2 on hist*`, `precomputed`. One expression describes a family of base kernels.

/// A complete description of one base kernel: the result of an expression, printed in reports and
/// stored in models.
struct KernelDescription {
  KernelFunction function;
  /// For `width=median*2`: the width follows from the training data; until then gamma is NaN, and
  /// using `function` is an error.
  std::optional<RelativeWidth> relative_width = {};
  std::string view;                  ///< the view it reads
  std::vector<std::string> columns;  ///< the columns of the view it reads; empty for matrices
  bool from_matrix = false;          ///< the view is a given Gram or distance matrix
  std::string group;                 ///< name of its group; by default the view
  Normalization normalization;
  Repair repair = Repair::none;  ///< for an indefinite given matrix
  /// Of a learned product of Gaussian kernels (generalised MKL): for each column the factor >= 0 of
  /// its squared difference; empty for all other kernels.
  Vector column_weights = {};
  /// Whether the kernel depends on its column c: false for weight 0 in a product.
  [[nodiscard]] bool reads(std::size_t c) const {
    return column_weights.empty() || column_weights[c] > 0.0;
  }
  /// "rbf(gamma=0.5) on color", or "... on color:red" if red is the only column it reads; with a
  /// relative width "rbf(width=median*2) on color"; of a product "product of rbf on color".
  [[nodiscard]] std::string name() const;
};

/// The names in the data that expressions refer to.
struct ViewNames {
  std::string name;
  std::vector<std::string> columns;  ///< empty for a given matrix
  KernelInput input = KernelInput::features;
  /// Columns that `each` takes together, such as the indicators of one column; others are alone.
  std::vector<std::vector<std::string>> together = {};
};

/// Expands expressions over views, in order: for each view, for each column with `each`,
/// for each combination of parameter values, where the last parameter varies fastest.
/// \param expressions  each "FUNCTION[(PARAM=VALUES, ...)] [on VIEWS] [, each] [, normalize=RULE]
///                     [, group=NAME]"; VALUES is a number, a power `2^k`, a range `a..b` of whole
///                     numbers or of powers of the same base (2^-6..2^3, 1e-3..1e3), or a list
///                     `{0.1; 1; 2..5}`; of a width also `median`, `near`,
///                     `median*VALUES` or `near*VALUES`, relative to distances between the training
///                     samples; VIEWS are names, globs, quoted names, `all` (every
///                     feature view's columns joined, each once) or `each view`, joined by '|'.
///                     Globs and `each view` skip views that the function cannot read; without
///                     `on` the expression means `on each view`. The default of gamma is
///                     1 / columns.
/// \param default_rule the normalisation of expressions that do not set their own
/// \throws ParameterError whose message shows the expression with a caret under the character
[[nodiscard]] std::vector<KernelDescription> expand_kernels(
    const std::vector<std::string>& expressions, const std::vector<ViewNames>& views,
    const Normalization& default_rule);

// Kernels for losses of distances (docs/reference/losses.md): shift - D with the squared
// distances D = |phi(x) - phi(z)|^2 = k(x, x) + k(z, z) - 2 k(x, z) in the kernel's feature space.

/// shift - D of the kernel `source`, which must know k(x, x) on both sides.
[[nodiscard]] KernelSourcePtr distance_source(KernelSourcePtr source, double shift);

struct DistanceKernels {
  std::vector<KernelSourcePtr> sources;
  double shift = 0.0;  ///< the same for all; pass it to the loss: with_shift
};

/// Training kernels converted to distances, shifted so that a'K_m a >= 0 for all a >= 0 of
/// sum 1.
[[nodiscard]] DistanceKernels distance_kernels(const std::vector<KernelSourcePtr>& sources);

}  // namespace kernmix
