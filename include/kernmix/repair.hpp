#pragma once
/// \file
/// Given matrices that are indefinite, made positive semidefinite: Chen, Garcia, Gupta, Rahimi and
/// Cazzanti, Similarity-based classification, JMLR 10, 2009, section 4.

#include <string>
#include <string_view>

#include "kernmix/types.hpp"

namespace kernmix {

/// What is done with the negative eigenvalues of a matrix between the training samples.
enum class Repair {
  none,   ///< such a matrix is refused
  clip,   ///< they become 0
  shift,  ///< the size of the smallest is added to the diagonal
  flip    ///< they change their sign
};
/// "none", "clip", "shift" or "flip".
[[nodiscard]] std::string repair_name(Repair repair);
/// \throws ParameterError naming the known ones
[[nodiscard]] Repair parse_repair(std::string_view text);

/// What a repair learned from the training matrix K = U diag(l) U'; of a matrix that is positive
/// semidefinite nothing. Rows k of new samples are changed in the same way: P k with P = I - N N'
/// where negative eigenvalues are clipped, I - 2 N N' where they are flipped, for the orthonormal
/// eigenvectors N of these; a shift leaves them as they are.
struct FittedRepair {
  Repair rule = Repair::none;
  double smallest = 0.0;     ///< the smallest eigenvalue of K
  Index negative_count = 0;  ///< how many are negative
  Matrix negative;  ///< N, n x negative_count; of a shift, and of kernels without weight, empty
  /// The matrix was changed.
  [[nodiscard]] bool changed() const { return negative_count > 0; }
  /// New samples need their values with all training samples.
  [[nodiscard]] bool mixes_columns() const { return changed() && rule != Repair::shift; }
};

}  // namespace kernmix
