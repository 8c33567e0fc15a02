#pragma once
/// \file
/// A product of Gaussian kernels with learned weights (Product) as one kernel of a model:
///
///   prod_m exp(-d_m gamma_m sum_{c in m} (x_c - z_c)^2) = exp(-sum_c w_c (x_c - z_c)^2),
///   w_c = sum_{m reads c} d_m gamma_m

#include <vector>

#include "kernmix/answer.hpp"
#include "kernmix/model.hpp"
#include "model/kernels/kernel_cache.hpp"
#include "model/solving/solve_tasks.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// \throws ParameterError for settings that a product does not have, and for settings of a product
/// without one
void check_combination(const TrainOptions& options, const TaskSet& set);

/// \throws ParameterError naming a kernel that is not a Gaussian kernel of columns, as it is
void check_factors(const std::vector<KernelDescription>& kernels);

/// The product as one kernel; KernelDescription::column_weights are w.
[[nodiscard]] KernelDescription product_kernel(const std::vector<ModelKernel>& factors);

struct LearnedProduct {
  Product product;
  Vector a;  ///< dual variables of the SVM on K(d)
  Status status = Status::stalled;
};

/// A local optimum of the weights, found by solve_gmkl from the requested start.
/// \throws ParameterError, DataError, ResourceError as solve_gmkl
[[nodiscard]] LearnedProduct learn_product(const Dataset& data, const TrainOptions& options,
                                           const TaskSet& set, const Context& context);

/// The certificate of the SVM on the exact product.
/// \param set  with the product as its only kernel \param result  status and counts are filled in
[[nodiscard]] TasksAnswer certify_product(const TaskSet& set, const KernelCache& kernels,
                                          const LearnedProduct& learned, double tolerance,
                                          const Context& context, TrainResult& result);

/// The stationarity of the weights of a model, measured with dual variables of all samples.
/// \param features  of the training samples
[[nodiscard]] double stationarity_of(const Product& product, FeatureColumns& features,
                                     const Vector& a, const Context& context);

/// A refusal in one sentence. \throws ParameterError if the model is a product
void refuse_product(const Model& model, const char* what);

}  // namespace kernmix
