#include "model/solving/kernel_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/memory/free_memory.hpp"
#include "base/memory/room.hpp"
#include "kernel/cached_source.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Above this limit the certificate bounds kernels by families instead of reading entries.
constexpr std::size_t kMostEntryBytes = std::size_t{1} << 33;

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

/// Single precision and shared bases change the relative gap by about 1e-8 of C times the diagonal:
/// docs/decisions/0018-single-precision-to-1e-6.md.
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
  options.double_precision = accuracy.double_precision || !single_precision_does(sources, accuracy);
  options.check_psd = !accuracy.assume_psd;
  return options;
}

/// Adds the memory of the solver to a plan with the kernels.
void add_solver(const MemoryBeside& memory, Index samples, const Context& context,
                MemoryPlan& plan) {
  const SolverMemory solver = memory(plan);
  plan.combined_bytes = solver.combined;
  plan.workspace_bytes = std::max(bank_workspace_bytes(plan, samples, context), solver.workspace);
  if (has_room(context, plan.total() + solver.triangles)) plan.combined_bytes += solver.triangles;
}

void fill_plan(const std::vector<KernelSourcePtr>& sources, const MemoryBeside& memory,
               const BankOptions& options, const Context& context, MemoryPlan& plan) {
  const std::size_t data_bytes = plan.data_bytes;
  plan = plan_bank(sources, options, context);
  plan.data_bytes = data_bytes;
  add_solver(memory, sources.front()->rows(), context, plan);
  evaluate_anew(plan, sources.front()->rows(), options.double_precision, context);
}

/// \throws Error if the bounds prove nothing
void require_proof(const Bounds& certificate) {
  if (!std::isfinite(certificate.primal) || !std::isfinite(certificate.dual)) {
    throw DataError(fmt::format(
        "the objective lies between {} and {}: entries of kernels or targets are too large for "
        "double precision; scale them",
        certificate.dual, certificate.primal));
  }
  if (certificate.in_order()) return;
  throw Error(ErrorKind::internal,
              fmt::format("the lower bound {} is above the upper bound {}: a kernel is not "
                          "positive semidefinite, or kernmix has a defect",
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

KernelStore::KernelStore(StoredKernels& kernels, MemoryBeside memory, const Accuracy& accuracy,
                         const Context& context, MemoryPlan& plan, Timings& seconds)
    : kernels_(kernels),
      memory_(std::move(memory)),
      context_(context),
      plan_(plan),
      seconds_(seconds),
      options_(options_for(kernels.sources, accuracy)) {
  if (kernels_.bank != nullptr && kernels_.double_precision == options_.double_precision) {
    use_stored();
  } else {
    store();
  }
}

void KernelStore::store() {
  const Stopwatch building;
  kernels_.bank.reset();
  fill_plan(kernels_.sources, memory_, options_, context_, plan_);
  kernels_.bank = build_bank(kernels_.sources, kernels_.names, options_, plan_, context_);
  kernels_.double_precision = options_.double_precision;
  if (kernels_.for_later) kernels_.plan = plan_;
  plan_.families.reset();  // the bank has them now
  // Of a small bank this would take longer than it saves: the next run needs the memory again.
  if (plan_.bank_bytes >= std::size_t{32} << 20) return_freed_memory();
  storing_seconds_ = building.seconds();
  tell_of_evaluation();
  seconds_.kernels += storing_seconds_;
  kernels_.seconds += storing_seconds_;
}

/// Says which kernels are not stored, and what a pass over them takes.
void KernelStore::tell_of_evaluation() const {
  const auto anew =
      std::ranges::count(plan_.kernels, StorageKind::evaluated, &MemoryPlan::Entry::kind);
  if (anew == 0) return;
  const Index stored = length(plan_.kernels) - anew;
  const std::string seconds =
      stored == 0
          ? std::string()
          : fmt::format(", which takes about {:.2g} seconds",
                        storing_seconds_ * static_cast<double>(anew) / static_cast<double>(stored));
  context_.tell(fmt::format(
      "{} of {} kernels do not fit in the memory budget and are evaluated anew in each pass{}",
      anew, plan_.kernels.size(), seconds));
}

/// The plan is for this run, whose solver may need more memory than that of the run that stored the
/// kernels.
void KernelStore::use_stored() {
  const std::size_t data_bytes = plan_.data_bytes;
  plan_ = kernels_.plan;
  plan_.data_bytes = data_bytes;
  add_solver(memory_, kernels_.bank->samples(), context_, plan_);
  plan_.families.reset();
  if (kernels_.entry_bytes > 0 && !has_room(context_, plan_.total() + kernels_.entry_bytes)) {
    context_.tell("exact kernels are removed from memory, which this run needs");
    kernels_.exact.reset();
    kernels_.entries.clear();
    kernels_.entry_bytes = 0;
  }
  require_memory(plan_, context_);
}

Context KernelStore::solving() const {
  using Clock = std::chrono::steady_clock;
  Context context = beside(context_, plan_.data_bytes + kernels_.entry_bytes);
  if (context.deadline) {
    *context.deadline -= std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(storing_seconds_));
  }
  return context;
}

const KernelBank& KernelStore::bank() {
  if (!kernels_.bank) store();
  return *kernels_.bank;
}

const ReferenceKernels& KernelStore::exact() {
  if (kernels_.exact) return *kernels_.exact;
  const std::size_t bytes = cached_bytes(kernels_.sources);
  // Those of landmarks are products of small factors, which reference kernels multiply.
  const bool of_landmarks = kernels_.sources.front()->by_landmarks() != nullptr;
  const bool remembered = kernels_.for_later && !of_landmarks && bytes <= kMostEntryBytes &&
                          has_room(context_, plan_.total() + bytes);
  const Stopwatch evaluating;
  if (remembered) kernels_.entries = cached_sources(kernels_.sources, without_end(context_));
  kernels_.exact = std::make_unique<ReferenceKernels>(
      remembered ? kernels_.entries : kernels_.sources, without_end(context_));
  if (remembered) {
    kernels_.entry_bytes = bytes;
    kernels_.seconds += evaluating.seconds();
    seconds_.kernels += evaluating.seconds();
  }
  if (kernels_.exact->bounded()) {
    context_.tell(
        "too many entries to evaluate: the certificate bounds them by families of kernels");
  }
  return *kernels_.exact;
}

bool KernelStore::refine() {
  if (options_.double_precision) return true;
  if (!may_refine_) return false;
  options_.double_precision = true;
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
