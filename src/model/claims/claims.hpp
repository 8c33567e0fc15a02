#pragma once
/// \file
/// What verification finds, claim by claim.

#include <string>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// Relative tolerance of recomputed numbers, with respect to the magnitude of the terms in their
/// sums. Rounding on another machine, or for another order of samples, is about 1e-16 n.
inline constexpr double agreement = 1e-9;

/// |reported - recomputed| <= agreement * size; false for NaN.
[[nodiscard]] bool agree(double reported, double recomputed, double size);

/// Collects claims by name; a claim keeps the finding with the largest deviation.
class Claims {
 public:
  explicit Claims(std::vector<Claim>& list) : list_(list) {}

  /// Adds a claim that holds unless a finding is added.
  void open(const std::string& name) { (void)at(name); }
  /// agree(reported, recomputed, size).
  /// \param what "the bias", "the scale of kernel 3": description of the two numbers
  void compare(const std::string& name, const std::string& what, double reported, double recomputed,
               double size);
  /// \param sentence the finding if it is false
  void require(const std::string& name, bool holds, const std::string& sentence);
  /// Calls body(); its parameter and data errors become findings. \returns false after an error
  template <typename Body>
  bool attempt(const std::string& name, const Body& body) {
    open(name);
    try {
      body();
      return true;
    } catch (const ParameterError& failure) {
      require(name, false, failure.what());
    } catch (const DataError& failure) {
      require(name, false, failure.what());
    }
    return false;
  }

  [[nodiscard]] bool made(const std::string& name) const;
  [[nodiscard]] bool holds(const std::string& name) const;
  [[nodiscard]] bool all_hold() const;

 private:
  Claim& at(const std::string& name);

  std::vector<Claim>& list_;
  std::vector<double> excess_;  ///< of the finding of each claim
};

/// " of task 'setosa'": suffix for the name of a number; empty for a single task.
[[nodiscard]] std::string of_task(const Model& model, Index k);

/// Claim `bounds`: all parts of `reported` and `recomputed` agree, and no lower bound is above the
/// upper bound.
/// \param about_a_sample  whether the kernels are those of distances to the first sample, whose
/// least size another order of the samples changes by a factor of at most 4 (kernel/distances.cpp)
void check_bounds(Claims& claims, const Bounds& reported, const Bounds& recomputed,
                  bool about_a_sample = false);

/// Sets `same_data`, `agrees` and, if the certificate was recomputed, `difference`.
void conclude(const Claims& claims, Verification& result);

/// Claim `status`: "converged" if and only if the gap is within the tolerance. \param within
/// whether the reported gap is
void check_status(Claims& claims, const std::string& status, bool within);

/// One task of a certificate.
struct TaskPoint {
  const Loss& loss;
  Bias rule;
  ConstSpan y;
  ConstSpan C;
  ConstSpan z;                 ///< sum_m f_m(x_i), without bias
  double best_bias;            ///< of the certificate
  double size;                 ///< of its bounds
  double rounding_size = 0.0;  ///< scale of the rounding of decision values, if it is larger
};

/// Claim `bias`: the loss is as small as with the optimal bias, which need not be unique. \param
/// whose "of class 'a'", or empty
void check_bias(Claims& claims, const std::string& whose, double bias, const TaskPoint& task);

/// Claim `weights`: norms are d_m sqrt(q_m). \param size of the bounds, of which d'q is a part
void check_norms(Claims& claims, const std::string& whose, ConstSpan norms, ConstSpan d,
                 ConstSpan q, double size);

}  // namespace kernmix
