#pragma once
/// \file
/// A small model in which every part of the file format occurs.

#include "kernmix/model.hpp"

namespace kernmix {

inline ModelKernel example_kernel(const std::string& name, const Vector& column_means,
                                  double weight) {
  ModelKernel kernel;
  kernel.description.function = make_kernel_function(name, {});
  kernel.description.view = "shape";
  kernel.description.columns = {"radius", "caf\xc3\xa9 \"x\""};
  kernel.description.group = "shape";
  kernel.description.normalization = {false, !column_means.empty(), Normalization::Scale::trace};
  kernel.normalization = {kernel.description.normalization, 0.1, column_means, 1.0 / 3.0};
  kernel.weight = weight;
  kernel.norm = 2.0 * weight;
  return kernel;
}

inline ModelKernel example_matrix_kernel() {
  ModelKernel kernel = example_kernel("precomputed", {}, 0.25);
  kernel.description.view = "similarity";
  kernel.description.columns.clear();
  kernel.description.from_matrix = true;
  return kernel;
}

inline Model example_model() {
  Model model;
  model.names = {"benign", "malignant"};
  model.settings = {.loss = "hinge",
                    .regularizer = "l1",
                    .solver = "newton",
                    .status = "converged",
                    .C = 10.0,
                    .class_weights = {1.0, 2.0},
                    .tolerance = 1e-3,
                    .seed = 18446744073709551615ULL,
                    .version = "0.1.0"};
  model.certificate = {
      .primal = 12.5, .dual = 12.49, .gap = 0.01, .inner_gap = 0.004, .outer_gap = 0.006};
  model.columns = {"radius", "caf\xc3\xa9 \"x\""};
  model.scaling = {{0.5, -1e-300}, {2.0, 0x1.fffffffffffffp-3}, {false, false}};
  model.views = {{"shape", ScalingRule::standard, ScalingRule::standard, model.columns}};
  model.kernels = {example_kernel("linear", {0.1, 0.2, 0.3}, 0.75), example_matrix_kernel(),
                   example_kernel("linear", {}, 0.0)};
  model.training_samples = 5;
  model.training_hash = 0x0123456789abcdefULL;
  model.sample_weights = {1.0, 1.0, 0.5, 2.0, 1.0};
  model.matrices = {"similarity"};
  model.support = {0, 2, 4};
  model.support_ids = {"a", "c", "e"};
  model.support_values = Matrix(3, 2);
  model.support_values.values = {1.0, 2.0, -0.0, 1e308, 5e-324, 0.1};
  model.weights = model.norms = Matrix(1, 3);
  model.weights.values = {0.75, 0.25, 0.0};
  model.norms.values = {1.5, 0.5, 0.0};
  model.gamma = {1.0};
  TaskModel& task = model.tasks.emplace_back();
  task.positive = 1;
  task.negative = 0;
  task.support = {0, 1, 2};
  task.coefficients = {-1.5, 0.5, 1.0};
  task.bias = -0.75;
  task.primal = 12.5;
  task.gap = 0.01;
  return model;
}

/// The same as a model of a regression with another bias rule.
inline Model example_regression() {
  Model model = example_model();
  model.target = Target::numbers;
  model.names = {};
  model.tasks[0].positive = 0;
  model.tasks[0].negative = -1;
  model.settings.loss = "squared";
  model.settings.bias = "penalised";
  model.settings.class_weights.clear();
  return model;
}

}  // namespace kernmix
