#include "model/solving/kernel_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The largest mean diagonal of a kernel.
double largest_scale(const std::vector<KernelSourcePtr>& sources) {
  Vector diagonal(to_size(sources.front()->rows()));
  double largest = 0.0;
  for (const KernelSourcePtr& source : sources) {
    source->left_diagonal(diagonal);
    largest = std::max(largest, as_vector(ConstSpan(diagonal)).mean());
  }
  return largest;
}

/// Single precision, and bases that kernels share, change the relative gap by about 1e-8 of C times
/// the diagonal: docs/decisions/0018-single-precision-to-1e-6.md.
bool single_precision_does(const std::vector<KernelSourcePtr>& sources, const Accuracy& accuracy) {
  constexpr double always = 1e-4;
  constexpr double never = 1e-6;
  constexpr double rounding = 3e-8;
  const double tolerance = accuracy.tolerance;
  if (tolerance >= always) return true;
  return tolerance >= never && tolerance >= rounding * accuracy.largest_C * largest_scale(sources);
}

BankOptions options_for(const std::vector<KernelSourcePtr>& sources, const Accuracy& accuracy) {
  BankOptions options;
  options.double_precision = !single_precision_does(sources, accuracy);
  options.check_psd = !accuracy.assume_psd;
  return options;
}

void fill_plan(const std::vector<KernelSourcePtr>& sources, const MemoryBeside& memory,
               const BankOptions& options, const Context& context, MemoryPlan& plan) {
  const std::size_t data_bytes = plan.data_bytes;
  plan = plan_bank(sources, options, context);
  const SolverMemory solver = memory(plan);
  plan.data_bytes = data_bytes;
  plan.combined_bytes = solver.combined;
  plan.workspace_bytes =
      std::max(bank_workspace_bytes(plan, sources.front()->rows(), context), solver.workspace);
  const std::size_t budget = context.memory_bytes;
  if (budget == 0 || plan.total() + solver.triangles <= budget) {
    plan.combined_bytes += solver.triangles;
  }
}

/// \throws Error where the bounds prove nothing
void require_proof(const Bounds& certificate) {
  if (!std::isfinite(certificate.primal) || !std::isfinite(certificate.dual)) {
    throw DataError(fmt::format(
        "the objective lies between {} and {}: entries of kernels or targets are too large for "
        "double precision; scale them",
        certificate.dual, certificate.primal));
  }
  if (certificate.in_order()) return;
  throw Error(ErrorKind::internal,
              fmt::format("the bounds contradict each other, {} from below and {} from above: a "
                          "kernel is not positive semidefinite, or kernmix has a defect",
                          certificate.dual, certificate.primal));
}

}  // namespace

Context without_end(Context context) {
  context.deadline.reset();
  context.cancelled = nullptr;
  return context;
}

void plan_store(const std::vector<KernelSourcePtr>& sources, const MemoryBeside& memory,
                const Accuracy& accuracy, const Context& context, MemoryPlan& plan) {
  fill_plan(sources, memory, options_for(sources, accuracy), context, plan);
}

KernelStore::KernelStore(std::vector<KernelSourcePtr> sources, std::vector<std::string> names,
                         MemoryBeside memory, const Accuracy& accuracy, const Context& context,
                         MemoryPlan& plan, Timings& seconds)
    : sources_(std::move(sources)),
      names_(std::move(names)),
      memory_(std::move(memory)),
      context_(context),
      plan_(plan),
      seconds_(seconds),
      options_(options_for(sources_, accuracy)) {
  store();
}

void KernelStore::store() {
  const Stopwatch building;
  fill_plan(sources_, memory_, options_, context_, plan_);
  bank_ = build_bank(sources_, names_, options_, plan_, context_);
  plan_.families.reset();  // the bank has them now
  storing_seconds_ = building.seconds();
  seconds_.kernels += storing_seconds_;
}

Context KernelStore::solving() const {
  using Clock = std::chrono::steady_clock;
  Context context = context_;
  if (context.deadline) {
    *context.deadline -= std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(storing_seconds_));
  }
  return context;
}

const KernelBank& KernelStore::bank() {
  if (!bank_) store();
  return *bank_;
}

const ReferenceKernels& KernelStore::exact() {
  if (exact_) return *exact_;
  exact_ = std::make_unique<ReferenceKernels>(sources_, without_end(context_));
  if (exact_->bounded()) {
    context_.tell(
        "too many entries to evaluate: the certificate bounds them by families of kernels");
  }
  return *exact_;
}

bool KernelStore::refine() {
  if (options_.double_precision) return true;
  if (!may_refine_) return false;
  options_.double_precision = true;
  bank_.reset();
  try {
    store();
  } catch (const ResourceError& failure) {
    options_.double_precision = may_refine_ = false;
    context_.tell(fmt::format("no second attempt in double precision: {}",
                              context_.should_stop() ? "no time is left" : failure.what()));
    return false;
  }
  return true;
}

std::vector<std::string> kernel_names(const std::vector<KernelDescription>& kernels) {
  std::vector<std::string> names;
  for (const KernelDescription& kernel : kernels) names.push_back(kernel.name());
  return names;
}

Status exact_status(const Bounds& certificate, Status on_bank, double tolerance) {
  require_proof(certificate);
  if (certificate.relative_gap() <= tolerance) return Status::converged;
  return on_bank == Status::converged ? Status::stalled : on_bank;
}

}  // namespace kernmix
