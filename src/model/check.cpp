#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "model/task_basis.hpp"

namespace kernmix {
namespace {

using Names = std::unordered_set<std::string>;

void check_regularizer(const ModelBasis& model) {
  const Regularizer regularizer = model_regularizer(model);
  check_regularizer(regularizer, length(model.kernels));
}

void check_settings(const ModelBasis& model) {
  const ModelSettings& settings = model.settings;
  require_model(std::isfinite(settings.C) && settings.C > 0.0, "has a C that is not > 0");
  require_model(settings.tolerance > 0.0 && settings.tolerance < 1.0,
                "has a tolerance that is not between 0 and 1");
  require_model(
      model.sample_weights.empty() || length(model.sample_weights) == model.training_samples,
      "has sample weights that do not match its number of training samples");
  require_model(all_positive(model.sample_weights), "has a sample weight that is not > 0");
  (void)parse_bias(settings.bias);
  (void)loss_weight(parse_loss(settings.loss), settings.C, model.training_samples);
  check_regularizer(model);
}

void check_support(const ModelBasis& model) {
  const Index count = length(model.support);
  const Index width = length(model.columns);
  require_model(are_ascending(model.support, model.training_samples),
                "has support vectors that are not in ascending order or beyond its training "
                "samples");
  require_model(model.support_ids.empty() || length(model.support_ids) == count,
                "has sample ids that do not match its support vectors");
  require_model(model.support_values.rows == count && model.support_values.cols == width &&
                    length(model.support_values.values) == count * width &&
                    all_finite(model.support_values.values),
                "has support values that are not finite numbers for each support vector and "
                "column");
  require_model(length(model.scaling.offset) == width && length(model.scaling.divisor) == width &&
                    all_finite(model.scaling.offset) && all_positive(model.scaling.divisor),
                "has a scaling that does not match its columns");
  require_model(are_unique(model.columns), "has two columns of the same name");
  require_model(are_unique(model.matrices), "has two matrices of the same name");
  require_model(are_unique(model.support_ids), "has two support vectors of the same name");
}

bool same_numbers(const KernelFunction& left, const KernelFunction& right) {
  return left.name == right.name && left.parameters == right.parameters;
}

void check_kernel(const ModelBasis& model, const ModelKernel& kernel, const Names& columns,
                  const Names& matrices) {
  const KernelDescription& description = kernel.description;
  const FittedNormalization& fitted = kernel.normalization;
  require_model(
      same_numbers(make_kernel_function(description.function.name, description.function.parameters),
                   description.function),
      "does not give every parameter of the function");
  require_model(!description.relative_width ||
                    (takes_width(description.function) && description.relative_width->factor > 0.0),
                "has a relative width that its function cannot have");
  require_model(std::isfinite(kernel.weight) && kernel.weight >= 0.0 &&
                    std::isfinite(kernel.norm) && kernel.norm >= 0.0,
                "has a weight or norm that is not >= 0");
  require_model(fitted.rule == description.normalization && std::isfinite(fitted.scale) &&
                    (fitted.scale > 0.0 || (fitted.rule.center && fitted.scale == 0.0)) &&
                    std::isfinite(fitted.grand_mean) && all_finite(fitted.column_means),
                "has an impossible normalisation");
  const bool used = kernel.weight > 0.0;
  const bool centred = used && fitted.rule.center;
  require_model(fitted.column_means.size() == (centred ? model.support.size() : 0),
                "has column means that do not match the support vectors");
  if (description.from_matrix) {
    require_model(description.columns.empty() && matrices.contains(description.view),
                  "reads a matrix that the model does not name");
    return;
  }
  require_model(!description.columns.empty(), "reads no column");
  const auto known = [&](const std::string& name) { return columns.contains(name); };
  require_model(!used || std::all_of(description.columns.begin(), description.columns.end(), known),
                "reads a column that the model does not name");
}

void check_target(const Model& model) {
  const ModelSettings& settings = model.settings;
  require_model(loss_target(parse_loss(settings.loss)) == model.target,
                "has a loss that does not fit its target");
  if (model.target != Target::classes) {
    require_model(settings.class_weights.empty(), "has class weights without classes");
    return;
  }
  require_model(model.classes.negative != model.classes.positive,
                "has two classes of the same name");
  require_model(settings.class_weights.size() == 2 && all_positive(settings.class_weights),
                "has class weights that are not two numbers > 0");
}

}  // namespace

void require_model(bool holds, const std::string& sentence) {
  if (!holds) throw DataError(sentence);
}

bool all_finite(ConstSpan values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

bool all_positive(ConstSpan values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v) && v > 0.0; });
}

bool all_nonnegative(ConstSpan values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v) && v >= 0.0; });
}

bool are_unique(const std::vector<std::string>& names) {
  return Names(names.begin(), names.end()).size() == names.size();
}

bool are_ascending(const std::vector<Index>& numbers, Index below) {
  if (numbers.empty()) return true;
  return std::ranges::adjacent_find(numbers, std::greater_equal<>()) == numbers.end() &&
         numbers.front() >= 0 && numbers.back() < below;
}

void check_basis(const ModelBasis& model) {
  require_model(!model.kernels.empty(), "has no kernel");
  check_settings_of([&] { check_settings(model); });
  check_support(model);
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

void check_model(const Model& model) {
  check_basis(model);
  check_settings_of([&] { check_target(model); });
  const ModelCertificate& certificate = model.certificate;
  require_model(all_finite(Vector{certificate.primal, certificate.dual, certificate.gap,
                                  certificate.inner_gap, certificate.outer_gap,
                                  certificate.least_size, certificate.bias, model.bias}),
                "has a certificate or bias that is not finite");
  const Index count = length(model.support);
  require_model(length(model.coefficients) == count && all_finite(model.coefficients),
                "has coefficients that are not one finite number for each support vector");
  require_model(model.proof.empty() || (length(model.proof) == count && all_finite(model.proof)),
                "has a proof that is not one finite number for each support vector");
}

}  // namespace kernmix
