#pragma once
/// \file
/// A small model of many tasks in which every part of the file format occurs.

#include "kernmix/train.hpp"
#include "model/example_model.hpp"

namespace kernmix::testing {

/// Two labels with weights of their own; the second has no support vector.
inline Model example_labels() {
  Model model = example_model();
  model.settings.class_weights.clear();
  model.scheme = TaskScheme::labels;
  model.coupling = "separate";
  model.names = {"quiet", "caf\xc3\xa9"};
  model.certificate = {
      .primal = 12.5, .dual = 12.25, .gap = 0.25, .inner_gap = 0.125, .outer_gap = 0.125};
  model.weights = Matrix(2, 3);
  model.weights.values = {1.0, 0.25, 0.0, 0.5, 0.25, 0.0};
  model.norms = Matrix(2, 3);
  model.norms.values = {1.5, 0.5, 0.0, 0.0, 0.0, 0.0};
  model.kernels[0].weight = 0.75;
  model.kernels[0].norm = 1.5;
  model.kernels[1].norm = 0.5;
  model.gamma = {1.0, 1.0};
  TaskModel quiet;
  quiet.name = "quiet";
  quiet.support = {0, 2};
  quiet.coefficients = {-1.5, 1.5};
  quiet.witness = {-1.0, 0.0};
  quiet.bias = -0.75;
  quiet.threshold = 0.125;
  quiet.primal = 8.0;
  quiet.gap = 0.25;
  TaskModel coffee;
  coffee.name = "caf\xc3\xa9";
  coffee.positive = 1;
  coffee.bias = 1.0;
  coffee.primal = 4.5;
  model.tasks = {quiet, coffee};
  return model;
}

/// Three classes against each other, with shared weights.
inline Model example_pairs() {
  Model model = example_labels();
  model.scheme = TaskScheme::one_vs_one;
  model.coupling = "minimax";
  model.names = {"a", "b", "c"};
  model.settings.class_weights = {1.0, 2.0, 1.0};
  model.weights = Matrix(1, 3);
  model.weights.values = {0.75, 0.25, 0.0};
  model.norms = Matrix(3, 3);
  model.norms.values = {1.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  model.gamma = {0.5, 0.25, 0.25};
  TaskModel task = model.tasks[0];
  task.threshold = 0.0;
  model.tasks.assign(3, task);
  model.tasks[0].name = "a vs b";
  model.tasks[0].negative = 1;
  model.tasks[1].name = "a vs c";
  model.tasks[1].negative = 2;
  model.tasks[2].name = "b vs c";
  model.tasks[2].positive = 1;
  model.tasks[2].negative = 2;
  return model;
}

/// Three classes trained together, without bounds of their own.
inline Model example_joint() {
  Model model = example_pairs();
  model.scheme = TaskScheme::joint;
  model.coupling = "joint";
  model.gamma = {1.0, 1.0, 1.0};
  for (std::size_t k = 0; k < 3; ++k) {
    model.tasks[k].name = model.names[k];
    model.tasks[k].positive = static_cast<Index>(k);
    model.tasks[k].negative = -1;
    model.tasks[k].primal = model.tasks[k].gap = 0.0;
  }
  return model;
}

}  // namespace kernmix::testing
