#pragma once
/// \file
/// The main job: data in, certified model out; prediction and verification of a model.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernmix/bank/plan.hpp"
#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/model/model.hpp"
#include "kernmix/model/verification.hpp"
#include "kernmix/model/warning.hpp"
#include "kernmix/solve.hpp"

namespace kernmix {

/// A given Gram or distance matrix: a view without columns.
struct MatrixView {
  std::string name;
  KernelInput kind = KernelInput::gram;  ///< gram or distance
  GivenMatrix matrix;  ///< training: n x n; prediction: new samples x n training samples, or x
                       ///< support vectors in model order
};

/// Samples with their views.
struct Dataset {
  Table table;              ///< may have no columns when only matrices are used
  std::vector<View> views;  ///< over table.columns
  std::vector<MatrixView> matrices;
};

/// On every view that has columns or distances, where nothing else is asked.
inline constexpr const char* default_kernels = "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6})";

struct TrainOptions {
  std::vector<std::string> kernels;  ///< expressions; empty: default_kernels, and `precomputed`
  std::string regularizer = "l1";
  std::string loss = "hinge";  ///< decides what is learned: see Target
  double C = 1.0;              ///< in C sum_i loss, > 0; 1 where nu replaces it
  Bias bias = Bias::free;
  std::map<std::string, double> class_weights;  ///< by label; "balanced" is resolved by the caller
  Vector sample_weights;                        ///< empty, or n factors > 0 of C
  std::string positive;                         ///< label of the positive class, or empty
  ScalingRule scaling = ScalingRule::standard;
  Normalization normalization;  ///< for kernels that do not say their own
  bool assume_psd = false;      ///< kernels are not tested for being positive semidefinite
  SolverOptions solver;
};

/// Seconds of the parts of a run.
struct Timings {
  double kernels = 0.0;
  double solve = 0.0;
  double certify = 0.0;  ///< the final certificate on the exact kernels
  double total = 0.0;
};

struct TrainResult {
  Model model;
  Answer solution;
  MemoryPlan plan;
  Timings seconds;
  std::vector<Warning> warnings;  ///< what may mislead: docs/warnings.md
};

/// Checks every parameter, expands the kernels, plans the memory, builds the bank, solves, and
/// certifies the answer on the exact kernels in double precision.
/// \throws ParameterError, DataError, ResourceError before any kernel is computed where possible
[[nodiscard]] TrainResult train(const Dataset& data, const TrainOptions& options,
                                const Context& context);

struct Prediction {
  Vector decision;                  ///< sum_m f_m(x) + b: the predicted number of a regression
  std::vector<std::string> label;   ///< by the sign, 0 counting as positive: the class, or "inlier"
                                    ///< and "outlier"; empty for a regression
  Vector probability;               ///< of the positive class, 1 / (1 + exp(-decision)), where the
                                    ///< loss is logistic; else empty
  Matrix contributions;             ///< samples x kernels with weight > 0, when asked for
  std::vector<Index> contributing;  ///< their kernel indices
};
/// \throws DataError when a column that the model needs is missing
[[nodiscard]] Prediction predict(const Model& model, const Dataset& data, const Context& context,
                                 bool contributions = false);

/// The model from scratch: everything that it says, computed again from the training data and its
/// settings; kernels exactly, in double precision.
struct Verification : VerifiedClaims {
  ModelCertificate recomputed;  ///< zeros unless it was
  ModelCertificate reported;
};
/// \throws DataError when a column, matrix or the labels that training read are missing
[[nodiscard]] Verification verify(const Model& model, const Dataset& data, const Context& context);

}  // namespace kernmix
