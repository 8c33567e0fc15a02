#pragma once
/// \file
/// A trained model: everything that prediction and verification need, and its one-file format
/// (docs/formats.md).

#include <cstdint>
#include <string>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// One base kernel of a trained model.
struct ModelKernel {
  KernelDescription description;
  /// column_means are those of the support vectors, and kept only for kernels with weight
  FittedNormalization normalization;
  double weight = 0.0;  ///< d_m, on the normalised kernel
  double norm = 0.0;    ///< ||f_m|| = d_m sqrt(q_m)
  /// d_m on the kernel as the user wrote it (weight * normalization.scale); for cosine and centred
  /// kernels it refers to the cosined, centred one.
  [[nodiscard]] double raw_weight() const { return weight * normalization.scale; }
};

/// What was asked for, as text: enough to train again.
struct ModelSettings {
  std::string loss;
  std::string regularizer;
  std::string solver;
  std::string status;
  std::string bias = "free";          ///< rule for the bias: free, none or penalised
  double C = 1.0;                     ///< 1 for losses where nu takes its place
  std::vector<double> class_weights;  ///< {negative, positive}, or of K classes; empty without
  double tolerance = 1e-3;
  std::uint64_t seed = 0;
  std::string version;  ///< of kernmix
};

/// "classes", "numbers" or "none".
[[nodiscard]] std::string target_name(Target target);
/// \throws DataError for any other name
[[nodiscard]] Target parse_target(const std::string& name);

/// What models of every kind keep: the kernels, and the support vectors that they are evaluated at.
struct ModelBasis {
  ModelSettings settings;
  std::vector<std::string> columns;   ///< feature columns that the kernels with weight use
  Scaling scaling;                    ///< of `columns`
  std::vector<ModelKernel> kernels;   ///< all M, with zero weights
  Index training_samples = 0;         ///< n
  std::uint64_t training_hash = 0;    ///< of targets, columns' values, matrices: verify compares it
  Vector sample_weights;              ///< n factors of C, or empty: all 1
  std::vector<std::string> matrices;  ///< names of given matrix views, in order
  /// Training rows that prediction needs, ascending: of support vectors, and where a centred kernel
  /// has weight and the dual variables do not add up to zero, of all samples.
  std::vector<Index> support;
  std::vector<std::string> support_ids;  ///< their sample ids, or empty
  Matrix support_values;                 ///< |support| x |columns|, unscaled
};

/// Bounds, and the best bias at weights and dual vector.
struct ModelCertificate : Bounds {
  double bias = 0.0;
};

/// One predictor: of two classes, of numbers, or of novelty.
struct Model : ModelBasis {
  Target target = Target::classes;
  BinaryLabels classes;          ///< empty names unless the target is classes
  ModelCertificate certificate;  ///< on the exact kernels of the training data
  Vector coefficients;           ///< a of the support vectors
  Vector proof;       ///< Answer::witness on the same rows; empty where the solver gave none
  double bias = 0.0;  ///< b; of a one-class model minus its threshold
};

/// Samples whose coefficient is not zero.
[[nodiscard]] Index support_vectors(const Model& model);

/// \throws DataError naming the part of the model that contradicts another or is out of range
void check_model(const Model& model);

/// Writes to a temporary file beside `file` and renames it: the old file survives any failure.
/// \throws ResourceError when the file cannot be written, DataError from check_model
void save_model(const Model& model, const std::string& file);

/// \throws DataError for a file that is not a model, of a newer version, truncated, altered
///         (checksum) or inconsistent. Never allocates more than a small multiple of the file size.
[[nodiscard]] Model load_model(const std::string& file);

}  // namespace kernmix
