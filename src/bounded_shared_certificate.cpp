#include <algorithm>
#include <numeric>

#include "bounded_panels.hpp"
#include "kernmix/bounded_certificate.hpp"

namespace kernmix {
namespace {

/// What rounding of the products and their bounds leave open of one task.
struct TaskExcess {
  double loss;    ///< of its primal value
  double energy;  ///< d'q - a'z, with the upper end of q
};

double inner(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

TaskExcess task_excess(const SharedProblem& problem, Index k, ConstSpan d, ConstSpan a, double bias,
                       const BankProducts& products, ConstSpan q) {
  const SharedTask& task = problem.task(k);
  const Vector z = on_rows(task, products.z);
  return {loss_excess(problem.loss, problem.bias, task.y, task.C, bias, z,
                      on_rows(task, products.z_error)),
          inner(d, q) - inner(a, z)};
}

/// A panel of dual vectors on all samples and, below it, of those of a proof.
Matrix both_panels(const SharedProblem& problem, const std::vector<Vector>& a,
                   const std::vector<Vector>& proof) {
  return stacked(panel_of(problem, a), proof.empty() ? Matrix() : panel_of(problem, proof));
}

/// Both sets of dual vectors in one pass, which evaluates the kernels once.
SharedPoint certify_shared_entries(const SharedProblem& problem, ConstSpan d,
                                   const std::vector<Vector>& a, ConstSpan gamma,
                                   const std::vector<Vector>& proof, const Context& context) {
  const Index T = problem.size();
  const Matrix forms = problem.bank.panel_forms(both_panels(problem, a, proof), context);
  SharedPoint point;
  point.Z = problem.bank.panel_product(d, panel_of(problem, a), context);
  point.Q = panel_rows(forms, 0, T);
  point.certificate = certify_shared_values(problem, d, a, gamma, point.Z, point.Q);
  if (!proof.empty()) {
    point.certificate.raise_dual(
        certify_shared_dual_values(problem, proof, gamma, panel_rows(forms, T, T)));
  }
  return point;
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
  for (Index k = 0; k < problem.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const TaskExcess excess =
        task_excess(problem, k, d, a[at], result.bias[at], products[at], panels.Q.row(k));
    result.task_primal[at] += excess.loss;
    result.task_gap[at] = std::max(result.task_gap[at] + excess.loss + excess.energy, 0.0);
    of_losses += excess.loss;
    weighted += (problem.sharing == Sharing::sum ? 1.0 : gamma[at]) * excess.loss;
  }
  result.primal += problem.sharing == Sharing::sum
                       ? of_losses
                       : *std::ranges::max_element(result.task_primal) - before;
  result.gap = std::max(result.primal - result.dual, 0.0);
  result.inner_gap = std::min(result.inner_gap + weighted, result.gap);
  result.outer_gap = result.gap - result.inner_gap;
  return result;
}

SharedPoint ReferenceKernels::certify_shared(const SharedProblem& problem, ConstSpan d,
                                             const std::vector<Vector>& a, ConstSpan gamma,
                                             const std::vector<Vector>& proof,
                                             const Context& context) const {
  check_shared_weights(problem, d);
  const std::vector<Vector> own = feasible_duals(problem, a);
  const std::vector<Vector> second = proof.empty() ? proof : feasible_duals(problem, proof);
  if (!bounded()) return certify_shared_entries(problem, d, own, gamma, second, context);
  const Matrix panel = both_panels(problem, own, second);
  const Vector none(d.size(), 0.0);
  const std::vector<BankProducts> products =
      this->products(panel_requests(panel, problem.size(), d, none), context);
  const auto T = problem.tasks.size();
  SharedPoint point;
  point.certificate = certify_shared_bounded(problem, d, own, gamma, std::span(products).first(T));
  if (!second.empty()) {
    point.certificate.raise_dual(certify_shared_dual_values(
        problem, second, gamma, upper_panels(std::span(products).subspan(T)).Q));
  }
  ProductPanels panels = product_panels(std::span(products).first(T));
  point.Z = std::move(panels.Z);
  point.Q = std::move(panels.Q);
  return point;
}

}  // namespace kernmix
