#include "model/product/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "kernmix/classical/gmkl.hpp"
#include "kernmix/error.hpp"
#include "model/solving/certified_solve.hpp"

namespace kernmix {
namespace {

constexpr const char* kGaussian = "rbf";

double gamma_of(const ModelKernel& factor) {
  return factor.description.function.parameters.at("gamma");
}

/// The columns of factors are copied densely, once as they are and once for the product.
void require_columns(Index samples, std::size_t columns, const Context& context) {
  constexpr double copies = 2.0;
  const double bytes = copies * 8.0 * static_cast<double>(samples) * static_cast<double>(columns);
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("the columns of a product of kernels take {}, more than the memory budget of {}; "
                  "give fewer columns or samples, or allow more memory",
                  memory_text(bytes), memory_text(context.memory_bytes)));
}

/// K(d) as a function of d. The columns of factor m are multiplied by sqrt(gamma_m).
std::unique_ptr<KernelFamily> family_of(const std::vector<ModelKernel>& factors, Index samples,
                                        FeatureColumns& features, const Context& context) {
  std::vector<Index> factor_of;
  for (std::size_t m = 0; m < factors.size(); ++m) {
    factor_of.insert(factor_of.end(), factors[m].description.columns.size(), static_cast<Index>(m));
  }
  require_columns(samples, factor_of.size(), context);
  Matrix X(samples, length(factor_of));
  Index next = 0;
  for (const ModelKernel& factor : factors) {
    const ConstMatrix own = features.of(factor.description, false).dense();
    for (Index c = 0; c < own.cols; ++c, ++next) {
      for (Index i = 0; i < own.rows; ++i) X(i, next) = std::sqrt(gamma_of(factor)) * own(i, c);
    }
  }
  return column_product(std::move(X), std::move(factor_of));
}

std::vector<ModelKernel> fitted_factors(const TrainingKernels& kernels) {
  std::vector<ModelKernel> factors;
  for (std::size_t m = 0; m < kernels.descriptions.size(); ++m) {
    factors.push_back({kernels.descriptions[m], kernels.normalizations[m]});
  }
  return factors;
}

Vector weights_of(const Product& product) {
  Vector d;
  for (const ModelKernel& factor : product.factors) d.push_back(factor.weight);
  return d;
}

WeightPenalty penalty_of(const Product& product) {
  return parse_penalty_rule(product.penalty).of(length(product.factors));
}

void refuse_in_product(const std::string& what) {
  throw ParameterError("a product of kernels " + what);
}

/// Settings that only a product reads. \throws ParameterError
void refuse_settings_of_products(const TrainOptions& options) {
  const bool penalty = options.weight_penalty.text() != PenaltyRule().text();
  if (!penalty && !options.weight_start) return;
  throw ParameterError(
      fmt::format("the weight {} belongs to a product of kernels: set the combination to product, "
                  "or leave it out",
                  penalty ? "penalty" : "start"));
}

}  // namespace

void check_combination(const TrainOptions& options, const TaskSet& set) {
  if (options.combination == Combination::sum) return refuse_settings_of_products(options);
  if (!set.single()) {
    refuse_in_product(fmt::format(
        "learns from two classes, or from one number for each sample, and the scheme is {}: train "
        "one model for each class, label or target",
        scheme_name(set.targets.scheme)));
  }
  if (loss_target(set.loss) == Target::none) {
    refuse_in_product("needs classes or numbers: without them its best weights are all zero");
  }
  if (regularizer_text(options.regularizer) != regularizer_text(Regularizer())) {
    refuse_in_product(
        fmt::format("has no regularizer such as {}, which is for sums: set the weight penalty",
                    regularizer_text(options.regularizer)));
  }
  if (options.solver.solver != "auto" || !options.solver.without.empty()) {
    refuse_in_product("is learned by projected gradients: leave the solver and its strategies out");
  }
}

void check_factors(const std::vector<KernelDescription>& kernels) {
  for (const KernelDescription& kernel : kernels) {
    if (kernel.function.name != kGaussian || kernel.from_matrix) {
      refuse_in_product(
          fmt::format("consists of Gaussian kernels (rbf) of columns, not of {}: give rbf for "
                      "views of columns only",
                      kernel.name()));
    }
    if (kernel.normalization != Normalization{.scale = Normalization::Scale::none}) {
      refuse_in_product(fmt::format("has no normalization, got {} for {}: leave it out",
                                    kernel.normalization.text(), kernel.name()));
    }
  }
}

KernelDescription product_kernel(const std::vector<ModelKernel>& factors) {
  KernelDescription product;
  product.function = make_kernel_function(kGaussian, {{"gamma", 1.0}});
  product.normalization.scale = Normalization::Scale::none;
  product.view = factors.front().description.view;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const ModelKernel& factor : factors) {
    if (factor.description.view != product.view) product.view = "all";
    for (const std::string& column : factor.description.columns) {
      const auto [found, is_new] = places.try_emplace(column, product.columns.size());
      if (is_new) {
        product.columns.push_back(column);
        product.column_weights.push_back(0.0);
      }
      product.column_weights[found->second] += factor.weight * gamma_of(factor);
    }
  }
  product.group = product.view;
  return product;
}

LearnedProduct learn_product(const Dataset& data, const TrainOptions& options, const TaskSet& set,
                             const Context& context) {
  if (!set.lacking.empty()) {
    refuse_in_product(
        fmt::format("needs every view of every sample, and some samples lack view '{}': leave "
                    "them out (absent=drop), or use a sum of kernels",
                    set.lacking.front().view.name));
  }
  TrainingKernels kernels = training_kernels(
      data.table, data.matrices, set.kernels, set.views, options.missing, {},
      set.weights_repeat ? ConstSpan(options.sample_weights) : ConstSpan(), context);
  LearnedProduct learned;
  learned.product.factors = fitted_factors(kernels);
  std::vector<ModelKernel>& factors = learned.product.factors;
  const auto family = family_of(factors, set.targets.samples(), kernels.features, context);
  const Task& task = set.task(0);
  const GmklProblem problem{
      *family, options.weight_penalty.of(length(factors)), set.loss, task.y, task.C, set.bias};
  learned.product.penalty = options.weight_penalty.text();
  learned.product.start = options.weight_start.value_or(1.0 / static_cast<double>(factors.size()));
  GmklSolution solution = solve_gmkl(problem,
                                     {options.solver.tolerance, options.solver.max_iterations,
                                      Vector(factors.size(), learned.product.start)},
                                     context);
  for (std::size_t m = 0; m < factors.size(); ++m) factors[m].weight = solution.d[m];
  learned.product.stationarity = solution.stationarity;
  learned.product.iterations = length(solution.objectives) - 1;
  learned.a = std::move(solution.a);
  learned.status = solution.status;
  return learned;
}

TasksAnswer certify_product(const TaskSet& set, const KernelCache& kernels,
                            const LearnedProduct& learned, double tolerance, const Context& context,
                            TrainResult& result) {
  const ReferenceKernels exact(kernels.kernels().sources);
  const Problem problem = set.problem(0, exact.bank());
  Answer answer;
  answer.d = {1.0};
  answer.a = {learned.a};
  answer.gamma = {1.0};
  answer.status = learned.status;
  const CertifiedAnswer found =
      certify_exactly(exact, problem, std::move(answer), tolerance, context);
  result.status = learned.status == Status::converged ? found.solution.status : learned.status;
  result.plan.workspace_bytes = gmkl_bytes(exact.bank().samples());
  result.svm_solves = learned.product.iterations + 1;
  TasksAnswer tasks;
  tasks.weights = Matrix(1, 1);
  tasks.weights(0, 0) = 1.0;
  tasks.a = found.solution.a;
  tasks.witness.resize(1);
  tasks.gamma = {1.0};
  tasks.certificate.add(problem, found.exact);
  tasks.solver = "gmkl";
  return tasks;
}

double stationarity_of(const Product& product, FeatureColumns& features, const Vector& a,
                       const Context& context) {
  const auto family = family_of(product.factors, length(a), features, context);
  return gmkl_stationarity(*family, penalty_of(product), weights_of(product), a, context);
}

double product_objective(const Product& product, const Bounds& certificate) {
  const Vector d = weights_of(product);
  return certificate.primal +
         std::visit([&](const auto& r) { return r.value(d); }, penalty_of(product));
}

void refuse_product(const Model& model, const char* what) {
  if (!model.product) return;
  throw ParameterError(fmt::format(
      "{} needs a sum of kernels, and the kernel of this model is a learned product", what));
}

}  // namespace kernmix
