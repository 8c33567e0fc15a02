#pragma once
/// \file
/// Repair of indefinite given matrices: Chen, Garcia, Gupta, Rahimi and
/// Cazzanti, Similarity-based classification, JMLR 10, 2009, section 4.

#include <string>
#include <string_view>

#include "kernmix/types.hpp"

namespace kernmix {

/// Treatment of negative eigenvalues of a matrix between the training samples.
enum class Repair {
  none,   ///< an indefinite matrix is an error
  clip,   ///< they become 0
  shift,  ///< the size of the smallest is added to the diagonal
  flip    ///< they change their sign
};
/// "none", "clip", "shift" or "flip".
[[nodiscard]] std::string repair_name(Repair repair);
/// \throws ParameterError naming the known ones
[[nodiscard]] Repair parse_repair(std::string_view text);

/// A repair fitted to the training matrix K = U diag(l) U'; empty for a positive semidefinite
/// matrix. Rows k of new samples are changed in the same way: P k with P = I - N N'
/// if negative eigenvalues are clipped, I - 2 N N' if they are flipped, with their orthonormal
/// eigenvectors N; a shift does not change them.
struct FittedRepair {
  Repair rule = Repair::none;
  double smallest = 0.0;     ///< the smallest eigenvalue of K
  Index negative_count = 0;  ///< number of negative eigenvalues
  Matrix negative;  ///< N, n x negative_count; empty for a shift, and for kernels without weight
  /// The matrix was changed.
  [[nodiscard]] bool changed() const { return negative_count > 0; }
  /// Prediction needs the values of new samples with all training samples.
  [[nodiscard]] bool mixes_columns() const { return changed() && rule != Repair::shift; }
};

}  // namespace kernmix
