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

/// Numbers computed twice agree to so much of their size: the magnitude of the terms that they are
/// sums of. Rounding on another machine, or of samples in another order, is some 1e-16 n of it.
inline constexpr double agreement = 1e-9;

/// |reported - recomputed| <= agreement * size; false for what is no number.
[[nodiscard]] bool agree(double reported, double recomputed, double size);

/// Adds to a list of claims, each when it is first named; of what does not agree a claim keeps the
/// finding that lies furthest off.
class Claims {
 public:
  explicit Claims(std::vector<Claim>& list) : list_(list) {}

  /// Names a claim that holds unless something is found.
  void open(const std::string& name) { (void)at(name); }
  /// agree(reported, recomputed, size).
  /// \param what  "the bias", "the scale of kernel 3": what the two numbers are
  void compare(const std::string& name, const std::string& what, double reported, double recomputed,
               double size);
  /// \param sentence  what is found where it does not hold
  void require(const std::string& name, bool holds, const std::string& sentence);
  /// body(), whose errors about parameters and data are findings. False where there was one.
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

/// " of task 'setosa'": goes on from the name of a number; nothing of a single task.
[[nodiscard]] std::string of_task(const Model& model, Index k);

/// Claim `bounds`: each part of `reported` is that of `recomputed`, and no lower bound lies above
/// the upper one.
void check_bounds(Claims& claims, const Bounds& reported, const Bounds& recomputed);

/// Sets `same_data`, `agrees` and, where the certificate was recomputed, `difference`.
void conclude(const Claims& claims, Verification& result);

/// Claim `status`: "converged" where the gap is within the tolerance, and only there.
/// \param within  of the gap that is reported
void check_status(Claims& claims, const std::string& status, bool within);

/// One task as its certificate has it.
struct TaskPoint {
  const Loss& loss;
  Bias rule;
  ConstSpan y;
  ConstSpan C;
  ConstSpan z;       ///< sum_m f_m(x_i), without bias
  double best_bias;  ///< of the certificate
  double size;       ///< of its bounds
  double rounding_size =
      0.0;  ///< that rounding of decision values is relative to, where it is more
};

/// Claim `bias`: as good as the best one. A bias that is not unique may lie anywhere where the loss
/// is least. \param whose  "of class 'a'", or empty
void check_bias(Claims& claims, const std::string& whose, double bias, const TaskPoint& task);

/// Claim `weights`: norms are d_m sqrt(q_m). \param size  of the bounds, which d'q is a part of
void check_norms(Claims& claims, const std::string& whose, ConstSpan norms, ConstSpan d,
                 ConstSpan q, double size);

}  // namespace kernmix
