#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "kernmix/error.hpp"
#include "kernmix/loss/loss.hpp"
#include "kernmix/model/model.hpp"
#include "kernmix/regularizer/regularizer.hpp"
#include "model/task.hpp"

namespace kernmix {
namespace {

void require(bool holds, const std::string& sentence) {
  if (!holds) throw DataError(sentence);
}

bool all_finite(const Vector& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool all_positive(const Vector& values) {
  return all_finite(values) &&
         std::all_of(values.begin(), values.end(), [](double v) { return v > 0.0; });
}

using Names = std::unordered_set<std::string>;

Names unique_names(const std::vector<std::string>& names, const char* what) {
  Names set(names.begin(), names.end());
  require(set.size() == names.size(), fmt::format("has two {} of the same name", what));
  return set;
}

void check_target(const Model& model) {
  const ModelSettings& settings = model.settings;
  const Loss loss = parse_loss(settings.loss);
  require(loss_target(loss) == model.target, "has a loss that does not fit its target");
  (void)parse_bias(settings.bias);
  (void)loss_weight(loss, settings.C, model.training_samples);
  if (model.target != Target::classes) {
    require(settings.class_weights.empty(), "has class weights without classes");
    return;
  }
  require(model.classes.negative != model.classes.positive, "has two classes of the same name");
  require(settings.class_weights.size() == 2 && all_positive(settings.class_weights),
          "has class weights that are not two numbers > 0");
}

void check_regularizer(const Model& model) {
  const Regularizer regularizer = with_groups(parse_regularizer(model.settings.regularizer),
                                              kernel_groups(kernel_descriptions(model)));
  std::visit([&](const auto& r) { r.check(length(model.kernels)); }, regularizer);
}

void check_settings(const Model& model) {
  const ModelSettings& settings = model.settings;
  require(std::isfinite(settings.C) && settings.C > 0.0, "has a C that is not > 0");
  require(settings.tolerance > 0.0 && settings.tolerance < 1.0,
          "has a tolerance that is not between 0 and 1");
  require(model.sample_weights.empty() || length(model.sample_weights) == model.training_samples,
          "has sample weights that do not match its number of training samples");
  require(all_positive(model.sample_weights), "has a sample weight that is not > 0");
  const Certificate& certificate = model.certificate;
  require(all_finite({certificate.primal, certificate.dual, certificate.gap, certificate.inner_gap,
                      certificate.outer_gap, certificate.bias, model.bias}),
          "has a certificate or bias that is not finite");
  check_target(model);
  check_regularizer(model);
}

void check_support(const Model& model) {
  const Index count = length(model.support);
  const Index width = length(model.columns);
  require(std::adjacent_find(model.support.begin(), model.support.end(), std::greater_equal<>()) ==
              model.support.end(),
          "has support vectors that are not in ascending order");
  require(
      count == 0 || (model.support.front() >= 0 && model.support.back() < model.training_samples),
      "has a support vector beyond its training samples");
  require(model.support_ids.empty() || length(model.support_ids) == count,
          "has sample ids that do not match its support vectors");
  require(length(model.coefficients) == count && all_finite(model.coefficients),
          "has coefficients that are not one finite number for each support vector");
  require(model.proof.empty() || (length(model.proof) == count && all_finite(model.proof)),
          "has a proof that is not one finite number for each support vector");
  require(model.support_values.rows == count && model.support_values.cols == width &&
              length(model.support_values.values) == count * width &&
              all_finite(model.support_values.values),
          "has support values that are not finite numbers for each support vector and column");
  require(length(model.scaling.offset) == width && length(model.scaling.divisor) == width &&
              all_finite(model.scaling.offset) && all_positive(model.scaling.divisor),
          "has a scaling that does not match its columns");
  (void)unique_names(model.columns, "columns");
  (void)unique_names(model.matrices, "matrices");
  (void)unique_names(model.support_ids, "support vectors");
}

bool same_numbers(const KernelFunction& left, const KernelFunction& right) {
  return left.name == right.name && left.parameters == right.parameters;
}

void check_kernel(const Model& model, const ModelKernel& kernel, const Names& columns,
                  const Names& matrices) {
  const KernelDescription& description = kernel.description;
  const FittedNormalization& fitted = kernel.normalization;
  require(
      same_numbers(make_kernel_function(description.function.name, description.function.parameters),
                   description.function),
      "does not give every parameter of the function");
  require(std::isfinite(kernel.weight) && kernel.weight >= 0.0 && std::isfinite(kernel.norm) &&
              kernel.norm >= 0.0,
          "has a weight or norm that is not >= 0");
  require(fitted.rule == description.normalization && std::isfinite(fitted.scale) &&
              fitted.scale > 0.0 && std::isfinite(fitted.grand_mean) &&
              all_finite(fitted.column_means),
          "has an impossible normalisation");
  const bool used = kernel.weight > 0.0;
  const bool centred = used && fitted.rule.center;
  require(fitted.column_means.size() == (centred ? model.support.size() : 0),
          "has column means that do not match the support vectors");
  if (description.from_matrix) {
    require(description.columns.empty() && matrices.contains(description.view),
            "reads a matrix that the model does not name");
    return;
  }
  require(!description.columns.empty(), "reads no column");
  const auto known = [&](const std::string& name) { return columns.contains(name); };
  require(!used || std::all_of(description.columns.begin(), description.columns.end(), known),
          "reads a column that the model does not name");
}

}  // namespace

void check_model(const Model& model) {
  try {
    require(!model.kernels.empty(), "has no kernel");
    check_settings(model);
    check_support(model);
  } catch (const ParameterError& failure) {
    throw DataError(fmt::format("has settings that are not allowed: {}", failure.what()));
  }
  const Names columns(model.columns.begin(), model.columns.end());
  const Names matrices(model.matrices.begin(), model.matrices.end());
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    try {
      check_kernel(model, model.kernels[m], columns, matrices);
    } catch (const Error& failure) {
      throw DataError(fmt::format("has an impossible kernel {}: it {}", m + 1, failure.what()));
    }
  }
}

}  // namespace kernmix
