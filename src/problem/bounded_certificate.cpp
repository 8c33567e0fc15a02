#include "kernmix/bounded_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/rounding.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "problem/separate.hpp"
#include "problem/task_loss.hpp"

namespace kernmix {
namespace {

/// Residual trace of a family approximation; its square enters the bounds.
constexpr double family_tolerance = 1e-14;

double inner(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

double entry_count(Index n, Index kernels) {
  return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(kernels);
}

bool is_zero(ConstSpan a) {
  return std::ranges::all_of(a, [](double value) { return value == 0.0; });
}

using BoundedProducts = std::span<const BankProducts>;

/// One of the vectors of each product, as the rows of a panel.
Matrix rows_of(BoundedProducts products, Vector BankProducts::*part) {
  Matrix rows(length(products), length(products.front().*part));
  for (Index k = 0; k < rows.rows; ++k) {
    std::ranges::copy(products[static_cast<std::size_t>(k)].*part, rows.row(k).begin());
  }
  return rows;
}

/// Upper bounds of the forms, and of sums of them.
std::vector<Vector> upper_forms(const Problem& problem, BoundedProducts products) {
  Matrix Q = rows_of(products, &BankProducts::q);
  const Matrix error = rows_of(products, &BankProducts::q_error);
  for (std::size_t e = 0; e < Q.values.size(); ++e) {
    Q.values[e] = upper_form(Q.values[e], error.values[e], Q.rows);
  }
  return task_sums(problem, Q);
}

/// `bound`, the dual value for the upper bounds of the forms, minus the largest rounding error.
double rounded_down(const Problem& problem, const std::vector<Vector>& a, ConstSpan gamma,
                    double bound) {
  double gain = 0.0;
  Index terms = problem.kernels() + problem.size();
  for (Index k = 0; k < problem.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double weight = problem.coupling == Coupling::minimax ? gamma[at] : 1.0;
    gain += weight * TaskLoss(problem, k).gain_size(a[at]);
    terms += length(a[at]);
  }
  return bound - dual_rounding(terms, gain, bound);
}

/// Uncertainty of one task due to rounding and the bounds of products.
struct TaskExcess {
  double loss;    ///< of the loss
  double primal;  ///< of the task's primal value
  double energy;  ///< d'q - a'z, with the upper bound of q
  double size;    ///< of the loss and d'q
};

TaskExcess task_excess(const Problem& problem, Index k, ConstSpan d, ConstSpan a, ConstSpan z,
                       ConstSpan z_error, ConstSpan q) {
  const TaskLoss loss(problem, k);
  const LossPoint point = loss.at(z, a);
  const double excess = loss.excess(point, z, z_error);
  const double energy = inner(d, q);
  return {excess, excess + rounding(length(d), energy + point.size), energy - inner(a, z),
          energy + point.size};
}

}  // namespace

Certificate certify_bounded(const Problem& problem, ConstSpan d, const std::vector<Vector>& a,
                            BoundedProducts products, ConstSpan gamma) {
  if (has_separate_weights(problem)) {
    return sum_of_tasks(problem, d, [&](const Problem& own, ConstSpan weights, std::size_t k) {
      return certify_bounded(own, weights, {a[k]}, products.subspan(k, 1), {});
    });
  }
  const std::vector<Vector> z = from_panel(problem, rows_of(products, &BankProducts::z));
  const std::vector<Vector> error = from_panel(problem, rows_of(products, &BankProducts::z_error));
  const std::vector<Vector> q = upper_forms(problem, products);
  Certificate result = certify_values(problem, d, spans_of(a), spans_of(z), spans_of(q), gamma);
  const bool minimax = problem.coupling == Coupling::minimax;
  const double largest = *std::ranges::max_element(result.task_primal);
  const double gap_before = result.primal - result.dual;
  double inner_gap = result.inner_gap;
  double of_losses = 0.0;
  double sizes = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const TaskExcess excess =
        task_excess(problem, static_cast<Index>(k), d, a[k], z[k], error[k], q[k]);
    result.task_primal[k] += excess.primal;
    result.task_gap[k] = std::max(result.task_gap[k] + excess.primal + excess.energy, 0.0);
    of_losses += excess.loss;
    inner_gap += (minimax ? gamma[k] : 1.0) * excess.loss;
    sizes += excess.size;
  }
  result.primal += minimax ? *std::ranges::max_element(result.task_primal) - largest : of_losses;
  result.primal += rounding(problem.kernels() + problem.size(), std::abs(result.primal) + sizes);
  result.dual = rounded_down(problem, a, gamma, result.dual);
  result.slack = result.primal - result.dual - gap_before;
  result.set_gap(inner_gap);
  return result;
}

ReferenceKernels::ReferenceKernels(std::vector<KernelSourcePtr> sources, double most_entries)
    : sources_(std::move(sources)),
      bank_(exact_bank(sources_)),
      bounded_(sources_.front()->by_landmarks() == nullptr &&
               entry_count(bank_->samples(), bank_->kernels()) > most_entries) {}

std::vector<BankProducts> ReferenceKernels::products(std::span<const ProductRequest> requests,
                                                     const Context& context) const {
  const auto n = to_size(bank_->samples());
  // Of tasks that time did not reach: known without kernels, however little time is left.
  if (std::ranges::all_of(requests, [](const auto& request) { return is_zero(request.a); })) {
    const Vector forms(to_size(bank_->kernels()), 0.0);
    const BankProducts zero{Vector(n, 0.0), Vector(n, 0.0), forms, forms};
    return std::vector<BankProducts>(requests.size(), zero);
  }
  if (sources_.front()->by_landmarks() != nullptr) {
    return landmark_products(sources_, requests, context).products;
  }
  if (!bounded()) return entry_products(sources_, requests, context);
  std::call_once(families_known_,
                 [&] { families_ = bounding_families(sources_, family_tolerance, context); });
  return bounded_products(sources_, *families_, family_tolerance, requests, context);
}

std::size_t certificate_bytes(const MemoryPlan& plan, Index n, Index requests,
                              const Context& context) {
  const Index M = length(plan.kernels);
  if (entry_count(n, M) <= ReferenceKernels::kMostEntries) {
    return entry_products_bytes(n, M, requests);
  }
  return bounded_products_bytes(plan, n, requests, context);
}

CertifiedPoint ReferenceKernels::certify(const Problem& problem, ConstSpan d,
                                         const std::vector<Vector>& a,
                                         const std::vector<Vector>& witness, const Context& context,
                                         ConstSpan gamma) const {
  check_weights(problem, d);
  const std::vector<Vector> own = feasible_duals(problem, a);
  const std::vector<Vector> second = witness.empty() ? witness : feasible_duals(problem, witness);
  if (has_separate_weights(problem)) {
    return points_of_tasks(problem, d,
                           [&](const Problem& single, ConstSpan weights, std::size_t k) {
                             std::vector<Vector> proof;
                             if (!second.empty()) proof.push_back(second[k]);
                             return certify(single, weights, {own[k]}, proof, context);
                           });
  }
  const Matrix panel = panel_of(problem, own);
  const Matrix second_panel = second.empty() ? Matrix() : panel_of(problem, second);
  const Vector none(d.size(), 0.0);
  std::vector<ProductRequest> requests;
  for (Index row = 0; row < panel.rows; ++row) requests.push_back({d, panel.row(row)});
  for (Index row = 0; row < second_panel.rows; ++row) {
    requests.push_back({none, second_panel.row(row)});
  }
  const std::vector<BankProducts> products = this->products(requests, context);
  const BoundedProducts of_own =
      BoundedProducts(products).first(static_cast<std::size_t>(panel.rows));
  CertifiedPoint point;
  point.certificate = certify_bounded(problem, d, own, of_own, gamma);
  if (!second.empty()) {
    const std::vector<Vector> q =
        upper_forms(problem, BoundedProducts(products).subspan(of_own.size()));
    const double bound = certify_dual_values(problem, spans_of(second), spans_of(q), gamma);
    point.certificate.raise_dual(rounded_down(problem, second, gamma, bound));
  }
  point.Z = rows_of(of_own, &BankProducts::z);
  point.Q = rows_of(of_own, &BankProducts::q);
  return point;
}

double ReferenceKernels::certify_dual(const Problem& problem, const std::vector<Vector>& a,
                                      const Context& context, ConstSpan gamma) const {
  const std::vector<Vector> own = feasible_duals(problem, a);
  if (has_separate_weights(problem)) {
    double sum = 0.0;
    for (Index k = 0; k < problem.size(); ++k) {
      sum += certify_dual(alone(problem, k), {own[static_cast<std::size_t>(k)]}, context);
    }
    return sum;
  }
  const Matrix panel = panel_of(problem, own);
  const Vector none(static_cast<std::size_t>(problem.kernels()), 0.0);
  std::vector<ProductRequest> requests;
  for (Index row = 0; row < panel.rows; ++row) requests.push_back({none, panel.row(row)});
  const std::vector<BankProducts> found = products(requests, context);
  const std::vector<Vector> q = upper_forms(problem, found);
  return rounded_down(problem, own, gamma,
                      certify_dual_values(problem, spans_of(own), spans_of(q), gamma));
}

}  // namespace kernmix
