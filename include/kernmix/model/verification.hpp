#pragma once
/// \file
/// What verification says of a model (docs/problem.md, "What verification computes").

#include <limits>
#include <string>
#include <vector>

namespace kernmix {

/// One thing that a model says, computed again from its training data and its settings.
struct Claim {
  std::string name;  ///< data, support, settings, scaling, kernels, predictions, weights, dual,
                     ///< bounds, bias or status
  bool agrees = true;
  std::string finding;  ///< what does not agree, a sentence; empty where it does
  /// The two numbers that the finding is about; equal where it is not about numbers.
  double reported = 0.0;
  double recomputed = 0.0;
};

/// What verifications of models of every kind say.
struct VerifiedClaims {
  std::vector<Claim> claims;  ///< in the order above: those that could be checked
  /// Largest of the differences of the parts of the certificate over max(|primal|, |dual|);
  /// infinite where none was computed.
  double difference = std::numeric_limits<double>::infinity();
  /// The data has the fingerprint of the training data. Another order of samples is recognised by
  /// their ids where training data and this data have them.
  bool same_data = false;
  bool agrees = false;  ///< same_data, and every claim does
};

}  // namespace kernmix
