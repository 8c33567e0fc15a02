#include "model/kernel_store.hpp"

#include <algorithm>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Below this tolerance single precision kernels would not do.
constexpr double single_precision_tolerance = 1e-4;

}  // namespace

Context without_end(Context context) {
  context.deadline.reset();
  context.cancelled = nullptr;
  return context;
}

KernelStore::KernelStore(std::vector<KernelSourcePtr> sources, std::vector<std::string> names,
                         Memory memory, double tolerance, const Context& context, MemoryPlan& plan,
                         Timings& seconds)
    : sources_(std::move(sources)),
      names_(std::move(names)),
      memory_(std::move(memory)),
      context_(context),
      plan_(plan),
      seconds_(seconds) {
  options_.double_precision = tolerance < single_precision_tolerance;
  store();
}

void KernelStore::store() {
  const Stopwatch building;
  const std::size_t data_bytes = plan_.data_bytes;
  plan_ = plan_bank(sources_, options_, context_);
  const SolverMemory solver = memory_(plan_);
  plan_.data_bytes = data_bytes;
  plan_.combined_bytes = solver.combined;
  plan_.workspace_bytes = std::max(plan_.workspace_bytes, solver.workspace);
  bank_ = build_bank(sources_, names_, options_, plan_, context_);
  plan_.families.reset();  // the bank has them now
  seconds_.kernels += building.seconds();
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
  if (certificate.relative_gap() <= tolerance) return Status::converged;
  return on_bank == Status::converged ? Status::stalled : on_bank;
}

}  // namespace kernmix
