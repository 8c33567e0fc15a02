#pragma once
/// \file
/// Regularizers: a set D of kernel weights and a penalty Phi on it (methods table 1.6).
///
///   Omega(s) = min_{d in D} 1/2 sum_m s_m^2 / d_m + Phi(d),   s_m = ||f_m||
///   sigma(v) = max_{d in D} <d, v> - Phi(d),                  v = q / 2,  q_m = a' K_m a

#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// One row of `kernmix list`.
struct RegularizerInfo {
  std::string syntax;   ///< "lp:p=P"
  std::string weights;  ///< the set D
  std::string norm;     ///< Omega(s)
  std::string example;  ///< an instance, for tables and generic tests
};

template <typename R>
concept PresentsRegularizer = requires {
  { R::rows() } -> std::same_as<std::vector<RegularizerInfo>>;
};

struct AnyRegularizer;

/// One of the regularizers of `regularizers()`, by its text or by parse_regularizer.
class Regularizer {
 public:
  Regularizer();                         ///< l1
  Regularizer(const char* text);         // NOLINT: a text such as "lp:p=2" stands wherever one does
  Regularizer(const std::string& text);  ///< as parse_regularizer()  NOLINT
  /// From a type of the library's own (src/regularizer/any.hpp).
  template <PresentsRegularizer R>
  Regularizer(R regularizer);  // NOLINT: a regularizer stands wherever any regularizer does
  explicit Regularizer(AnyRegularizer any);

  [[nodiscard]] const AnyRegularizer& any() const { return *any_; }
  /// Both have the same text.
  friend bool operator==(const Regularizer& left, const Regularizer& right);

 private:
  std::shared_ptr<const AnyRegularizer> any_;
};

/// \throws ParameterError "lp: p must be >= 1, got 0.5", or naming the known regularizers
[[nodiscard]] Regularizer parse_regularizer(const std::string& text);
/// Parses back to the same regularizer.
[[nodiscard]] std::string regularizer_text(const Regularizer& regularizer);
/// The rows of `kernmix list`.
[[nodiscard]] const std::vector<RegularizerInfo>& regularizers();

/// \throws ParameterError if D is empty for M kernels
void check_regularizer(const Regularizer& regularizer, Index M);

/// Omega(s), s of length M.
[[nodiscard]] double omega(const Regularizer& regularizer, ConstSpan s);
/// sigma(q / 2), q of length M; infinite if D is unbounded and q too large.
[[nodiscard]] double conjugate(const Regularizer& regularizer, ConstSpan q);
/// Phi(d), d in D.
[[nodiscard]] double penalty(const Regularizer& regularizer, ConstSpan d);

/// The centre of D for M kernels, or the point if D is a single point.
[[nodiscard]] Vector initial_weights(const Regularizer& regularizer, Index M);

/// Checks that `d` lies in D, to 1e-7 of its largest weight; any d >= 0 does if D is unbounded.
/// \throws ParameterError naming the weight or the sum that is out of range
void check_weights(const Regularizer& regularizer, ConstSpan d);

/// True if the weights sum to 1, by definition of D or because the user's weights do.
[[nodiscard]] bool weights_sum_to_one(const Regularizer& regularizer);

/// True if D is a single point, so that weights are not learned.
[[nodiscard]] bool has_fixed_weights(const Regularizer& regularizer);

/// The regularizer with its groups, 0, 1, ... for each kernel; unchanged if it has no groups.
[[nodiscard]] Regularizer with_groups(const Regularizer& regularizer,
                                      const std::vector<Index>& group);

/// A two-stage regularizer with the weights d of its rule; other regularizers are unchanged.
[[nodiscard]] Regularizer with_chosen_weights(const Regularizer& regularizer, Vector d);

}  // namespace kernmix
