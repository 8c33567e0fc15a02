#pragma once
/// \file
/// Losses: convex functions given together with their conjugates (methods table 1.5).

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// How the bias b of a decision value sum_m f_m(x) + b enters the problem.
enum class Bias {
  free,      ///< not penalised; holds sum a = 0 in the dual
  none,      ///< b = 0
  penalised  ///< 1/2 b^2 is added to (P): the kernel 1 1' with weight 1, b = sum a
};

[[nodiscard]] std::string bias_name(Bias bias);
/// \throws ParameterError naming the known rules
[[nodiscard]] Bias parse_bias(const std::string& text);

/// The kind of targets of a loss.
enum class Target {
  classes,  ///< y = +1 or -1
  numbers,  ///< y any real number
  none      ///< no y: novelty detection
};

/// One row of `kernmix list`.
struct LossInfo {
  std::string syntax;   ///< "epsilon:eps=E"
  std::string formula;  ///< l(y, z)
  std::string example;  ///< an instance, for tables and generic tests
};

template <typename L>
concept IsLoss = requires {
  { L::info() } -> std::same_as<LossInfo>;
};

struct AnyLoss;

/// One of the losses of `losses()`, by its text or by parse_loss.
class Loss {
 public:
  Loss();                         ///< hinge
  Loss(const char* text);         // NOLINT: a text such as "hinge" stands wherever a loss does
  Loss(const std::string& text);  ///< as parse_loss()  NOLINT
  /// From a type of the library's own (src/loss/any.hpp).
  template <IsLoss L>
  Loss(L loss);  // NOLINT: a loss stands wherever any loss does
  explicit Loss(AnyLoss any);

  [[nodiscard]] const AnyLoss& any() const { return *any_; }
  /// Both have the same text.
  friend bool operator==(const Loss& left, const Loss& right);

 private:
  std::shared_ptr<const AnyLoss> any_;
};

/// "hinge", "epsilon:eps=0.1". \throws ParameterError naming the known losses
[[nodiscard]] Loss parse_loss(const std::string& text);
/// Parses back to the same loss.
[[nodiscard]] std::string loss_text(const Loss& loss);
/// The rows of `kernmix list`.
[[nodiscard]] const std::vector<LossInfo>& losses();

[[nodiscard]] Target loss_target(const Loss& loss);

/// True if 1 / (1 + exp(-z)) is the probability of y = +1 at decision value z.
[[nodiscard]] bool gives_probability(const Loss& loss);

/// True for losses of the decision values of all K classes: y = 0 .. K - 1, and dual vectors and
/// decision values have K entries of each sample, sample by sample (docs/explanation/joint.md).
[[nodiscard]] bool joins_classes(const Loss& loss);

/// The number of decision functions of a sample: K for losses that join classes, otherwise 1.
[[nodiscard]] Index decision_functions(const Loss& loss, ConstSpan y);

/// The joint loss of all classes: crammer-singer for hinge and for itself.
/// \throws ParameterError if it does not exist
[[nodiscard]] Loss of_all_classes(const Loss& loss);

/// False for losses that have no C.
[[nodiscard]] bool takes_cost(const Loss& loss);

/// True for losses that learn a threshold, a margin or an offset.
[[nodiscard]] bool learns_threshold(const Loss& loss);

/// True for losses of the distances between samples: their kernels come from distance_kernels.
[[nodiscard]] bool on_distances(const Loss& loss);

/// A loss of distances with the shift of its kernels; other losses are unchanged.
[[nodiscard]] Loss with_shift(const Loss& loss, double shift);

/// False for losses whose weight is determined by nu.
[[nodiscard]] bool uses_cost(const Loss& loss);

/// The weight of each sample's loss before sample and class weights: C, or the weight that the loss
/// determines. \throws ParameterError if C is given and the loss has none
[[nodiscard]] double loss_weight(const Loss& loss, double C, Index n);
/// The same for repeated samples. \param total  the sum of their sample weights, > 0
[[nodiscard]] double loss_weight_of_total(const Loss& loss, double C, double total);

/// \throws ParameterError unless C_i lies in the range of parameters (kernmix/range.hpp)
void check_weight(double C, Index sample);

/// \throws ParameterError if the loss does not support this bias
void check_bias(const Loss& loss, Bias rule);

/// \throws ParameterError or DataError if a parameter is out of its range, or the loss does not
///         support this bias, these labels or these weights
void check_loss(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C);

/// The feasible set A of the dual: lower <= a <= upper, and for every block c the sum of a over the
/// samples of c equals totals[c]. Bounds may be infinite. A free bias is one block with total 0;
/// without a bias there is none. Of K decision functions a has n K entries, each function is a
/// block, and the entries of each sample sum to zero as well.
struct DualSet {
  Vector lower;              ///< length n
  Vector upper;              ///< length n
  std::vector<Index> block;  ///< block of each sample; empty without prescribed sums
  Vector totals;             ///< one for each block

  [[nodiscard]] bool balanced() const { return !totals.empty(); }
};

[[nodiscard]] DualSet dual_set(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C);

/// Makes any vector feasible: clips `a` to the box and brings every block to its total by moving
/// the samples of one sign towards 0 and, if that is not enough, all samples towards one bound.
/// Sums that are right up to rounding are not changed. The set must not be empty.
void make_feasible(const DualSet& set, MutableSpan a);

/// The loss at decision values z + b, compared with a dual vector.
struct LossPoint {
  double value = 0.0;  ///< the loss terms of (P), and 1/2 b^2 if the bias is penalised
  double gap =
      0.0;  ///< sum of Fenchel-Young gaps, every term >= 0: the possible gain from better (a, b)
  double size =
      0.0;           ///< sum of the absolute values of the terms of `value`, for bounds of rounding
  Vector bias = {};  ///< b of each decision function; for a one-class loss minus its threshold
};

/// Value and Fenchel-Young gap at decision values z + b with the optimal bias under `rule`.
[[nodiscard]] LossPoint loss_at(const Loss& loss, Bias rule, ConstSpan y, ConstSpan z, ConstSpan a,
                                ConstSpan C);

/// sum_i -(C_i l)*(-a_i), the gain in (D); minus 1/2 (sum a)^2 if the bias is penalised.
[[nodiscard]] double dual_gain(const Loss& loss, Bias rule, ConstSpan y, ConstSpan a, ConstSpan C);

/// Sum of the absolute values of the terms of dual_gain, for bounds of rounding.
[[nodiscard]] double gain_size(const Loss& loss, Bias rule, ConstSpan y, ConstSpan a, ConstSpan C);

/// The quadratic part of -gain, 1/2 diagonal a^2 - linear a + kink |a|: all of length n.
struct QuadraticTerms {
  Vector linear;
  Vector diagonal;
  Vector kink;
};
/// nullopt if the gain is not quadratic inside the box.
[[nodiscard]] std::optional<QuadraticTerms> quadratic_terms(const Loss& loss, ConstSpan y,
                                                            ConstSpan C);

/// True if the gain is smooth inside the box.
[[nodiscard]] bool has_smooth_dual(const Loss& loss);

/// -d^2 gain / d a_i^2 at each a_i: the term of the loss on the diagonal of K(d) in second-order
/// models.
[[nodiscard]] Vector dual_curvature(const Loss& loss, ConstSpan y, ConstSpan a, ConstSpan C);

/// Samples whose a_i is a smooth function of the weights: inside the box and not at a kink.
[[nodiscard]] std::vector<Index> free_samples(const Loss& loss, const DualSet& set, ConstSpan y,
                                              ConstSpan a, ConstSpan C);

}  // namespace kernmix
