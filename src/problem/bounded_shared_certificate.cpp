#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/bounded_certificate.hpp"
#include "problem/bounded_panels.hpp"

namespace kernmix {
namespace {

/// What rounding of the products and their bounds leave open of one task.
struct TaskExcess {
  double loss;    ///< of its primal value
  double energy;  ///< d'q - a'z, with the upper end of q
  double form;    ///< d'q
  double size;    ///< of the loss
};

double inner(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

TaskExcess task_excess(const SharedProblem& problem, Index k, ConstSpan d, ConstSpan a,
                       const BankProducts& products, ConstSpan q) {
  const SharedTask& task = problem.task(k);
  const Vector z = on_rows(task, products.z);
  const LossPoint point = loss_at(problem.loss, problem.bias, task.y, z, a, task.C);
  const double energy = inner(d, q);
  return {loss_excess(problem.loss, problem.bias, task.y, task.C, point, z,
                      on_rows(task, products.z_error)) +
              rounding(length(d), energy + point.size),
          energy - inner(a, z), energy, point.size};
}

/// A panel of dual vectors on all samples and, below it, of those of a proof.
Matrix both_panels(const SharedProblem& problem, const std::vector<Vector>& a,
                   const std::vector<Vector>& proof) {
  return stacked(panel_of(problem, a), proof.empty() ? Matrix() : panel_of(problem, proof));
}

/// `bound`, that of feasible dual vectors for the upper ends of their forms, less what rounding may
/// add.
double rounded_down(const SharedProblem& problem, const std::vector<Vector>& a, ConstSpan gamma,
                    double bound) {
  double gain = 0.0;
  Index terms = problem.kernels() + problem.size();
  for (Index k = 0; k < problem.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const SharedTask& task = problem.task(k);
    const double weight = problem.sharing == Sharing::sum ? 1.0 : gamma[at];
    gain += weight * gain_size(problem.loss, problem.bias, task.y, a[at], task.C);
    terms += length(a[at]);
  }
  return bound - dual_rounding(terms, gain, bound);
}

}  // namespace

SharedCertificate certify_shared_bounded(const SharedProblem& problem, ConstSpan d,
                                         const std::vector<Vector>& a, ConstSpan gamma,
                                         std::span<const BankProducts> products) {
  const ProductPanels panels = upper_panels(products);
  SharedCertificate result = certify_shared_values(problem, d, a, gamma, panels.Z, panels.Q);
  const double before = *std::ranges::max_element(result.task_primal);
  double of_losses = 0.0;
  double weighted = 0.0;
  double sizes = 0.0;
  for (Index k = 0; k < problem.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const TaskExcess excess = task_excess(problem, k, d, a[at], products[at], panels.Q.row(k));
    sizes += excess.form + excess.size;
    result.task_primal[at] += excess.loss;
    result.task_gap[at] = std::max(result.task_gap[at] + excess.loss + excess.energy, 0.0);
    of_losses += excess.loss;
    weighted += (problem.sharing == Sharing::sum ? 1.0 : gamma[at]) * excess.loss;
  }
  const double inner_gap = result.inner_gap + weighted;
  const double gap_before = result.primal - result.dual;
  result.primal += problem.sharing == Sharing::sum
                       ? of_losses
                       : *std::ranges::max_element(result.task_primal) - before;
  result.primal += rounding(problem.kernels() + problem.size(), std::abs(result.primal) + sizes);
  result.dual = rounded_down(problem, a, gamma, result.dual);
  result.slack = result.primal - result.dual - gap_before;
  result.set_gap(inner_gap);
  return result;
}

SharedPoint ReferenceKernels::certify_shared(const SharedProblem& problem, ConstSpan d,
                                             const std::vector<Vector>& a, ConstSpan gamma,
                                             const std::vector<Vector>& proof,
                                             const Context& context) const {
  check_shared_weights(problem, d);
  const std::vector<Vector> own = feasible_duals(problem, a);
  const std::vector<Vector> second = proof.empty() ? proof : feasible_duals(problem, proof);
  const Matrix panel = both_panels(problem, own, second);
  const Vector none(d.size(), 0.0);
  const std::vector<BankProducts> products =
      this->products(panel_requests(panel, problem.size(), d, none), context);
  const auto T = problem.tasks.size();
  SharedPoint point;
  point.certificate = certify_shared_bounded(problem, d, own, gamma, std::span(products).first(T));
  if (!second.empty()) {
    const Matrix forms = upper_panels(std::span(products).subspan(T)).Q;
    const double bound = certify_shared_dual_values(problem, second, gamma, forms);
    point.certificate.raise_dual(rounded_down(problem, second, gamma, bound));
  }
  ProductPanels panels = product_panels(std::span(products).first(T));
  point.Z = std::move(panels.Z);
  point.Q = std::move(panels.Q);
  return point;
}

}  // namespace kernmix
