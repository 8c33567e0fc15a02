#include "model/solving/kernel_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/memory/free_memory.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/cached_source.hpp"
#include "kernel/landmark_source.hpp"
#include "kernmix/bank/beyond_memory.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "model/prediction_kernels.hpp"
#include "model/solving/certificate_time.hpp"
#include "model/solving/no_time.hpp"

namespace kernmix {
namespace {

/// Above this limit the certificate bounds kernels by families instead of reading entries.
constexpr std::size_t kMostEntryBytes = std::size_t{1} << 33;

/// A run makes 10 to 30 passes.
constexpr int kExpectedPasses = 20;
/// Seconds of a run whose expected duration is said without being asked.
constexpr double kLongRun = 10.0;

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

/// The most support vectors of a model: the landmarks, or all samples.
Index most_support(const KernelSource& source) {
  const LandmarkSource* const kernel = source.by_landmarks();
  return kernel != nullptr ? kernel->columns() : source.rows();
}

/// Adds the memory of the solver to a plan with the kernels.
void add_solver(const MemoryBeside& memory, const KernelSource& source, const Context& context,
                MemoryPlan& plan) {
  const Index samples = source.rows();
  const SolverMemory solver = memory(plan);
  plan.combined_bytes = solver.combined;
  // Exact kernels prove the answer, and the model predicts training samples, when K(d) is gone.
  const std::size_t proving = source.by_landmarks() == nullptr ? solver.certificate : 0;
  const std::size_t later = std::max(proving, prediction_bytes(most_support(source), context));
  plan.workspace_bytes = std::max({bank_workspace_bytes(plan, samples, context), solver.workspace,
                                   std::max(later, solver.combined) - solver.combined});
  if (has_room(context, plan.total() + solver.triangles)) plan.combined_bytes += solver.triangles;
}

void fill_plan(const std::vector<KernelSourcePtr>& sources, const MemoryBeside& memory,
               const BankOptions& options, const Context& context, MemoryPlan& plan) {
  const std::size_t data_bytes = plan.data_bytes;
  plan = plan_bank(sources, options, context);
  plan.data_bytes = data_bytes;
  add_solver(memory, *sources.front(), context, plan);
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
      options_(options_for(kernels.sources, accuracy)),
      on_exact_(accuracy.on_exact),
      vectors_(accuracy.vectors) {
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
  MemoryPlan plan = plan_;
  plan_.families = kernels_.for_later ? outlines(plan_) : nullptr;  // the bank takes them
  kernels_.bank = build_bank(kernels_.sources, kernels_.names, options_, std::move(plan), context_);
  kernels_.double_precision = options_.double_precision;
  if (kernels_.for_later) kernels_.plan = plan_;
  plan_.families.reset();
  return_freed();
  kernels_.storing_seconds = building.seconds();
  pass_seconds_ = evaluation_seconds(*kernels_.bank);
  predict_certificate();
  tell_of_evaluation();
  require_time();
  seconds_.kernels += kernels_.storing_seconds;
  kernels_.seconds += kernels_.storing_seconds;
}

void KernelStore::return_freed() const {
  constexpr std::size_t small = std::size_t{32} << 20;
  if (plan_.bank_bytes >= small) return_freed_memory();
}

/// The time of the last pass and the certificate. Entries and bounds of families take as long as
/// storing the kernels; all entries of factors, and sums for many vectors, take longer.
void KernelStore::predict_certificate() {
  reserve_seconds_ = 0.0;
  entry_seconds_ = 0.0;
  if (!context_.deadline || context_.should_stop()) return;
  if (kernels_.sources.front()->by_landmarks() != nullptr) {
    reserve_seconds_ = landmark_certificate_seconds(kernels_.sources, context_);
    return;
  }
  reserve_seconds_ = 2.0 * pass_seconds_;
  if (!on_exact_) return;
  const bool stored = !kernels_.entries.empty();
  if (!stored) reserve_seconds_ += kernels_.storing_seconds;
  const bool stored_faster = !stored && std::ranges::any_of(plan_.kernels, [](const auto& kernel) {
    return kernel.kind == StorageKind::factor;
  });
  if (vectors_ == 1 && !stored_faster) return;
  if (ReferenceKernels(kernels_.sources).bounded()) return;
  entry_seconds_ =
      entry_certificate_seconds(stored ? kernels_.entries : kernels_.sources, vectors_, context_);
}

/// Says which kernels are not stored, and how long a pass over them takes.
void KernelStore::tell_of_evaluation() const {
  std::vector<Index> anew;
  for (Index m = 0; m < length(plan_.kernels); ++m) {
    if (plan_.kernels[to_size(m)].kind == StorageKind::evaluated) anew.push_back(m);
  }
  if (anew.empty()) return;
  const std::size_t bytes =
      anew.size() * packed_bytes(kernels_.sources.front()->rows(), options_.double_precision);
  const auto from_file = std::ranges::count_if(
      anew, [&](Index m) { return kernels_.sources[to_size(m)]->read_each_time(); });
  const char* how = from_file == length(anew) ? "read from their file"
                    : from_file == 0          ? "evaluated anew"
                                              : "read from their file or evaluated anew";
  const char* prefix = pass_seconds_ * kExpectedPasses >= kLongRun ? storage_remark : "";
  context_.tell(fmt::format(
      "{}{} of {} kernels ({}) do not fit in the memory budget of {} and are {} in each pass, "
      "which "
      "takes about {:.2g} s, in all about {:.2g} s for {} passes; training needs {} of memory in "
      "all",
      prefix, anew.size(), plan_.kernels.size(), memory_text(bytes),
      memory_text(context_.memory_bytes), how, pass_seconds_, pass_seconds_ * kExpectedPasses,
      kExpectedPasses, memory_text(plan_.total())));
}

/// The first pass over kernels that are not stored, and that of the certificate.
void KernelStore::require_time() const {
  if (pass_seconds_ == 0.0 || !context_.deadline) return;
  const std::chrono::duration<double> left = *context_.deadline - std::chrono::steady_clock::now();
  const double needed = kernels_.storing_seconds + 2.0 * pass_seconds_;
  if (needed <= left.count()) return;
  throw NoTimeForPass(fmt::format(
      "stopped by the time limit: one pass over the kernels that do not fit in memory and the "
      "certificate take about {:.2g} s, {:.2g} s are left; allow more time (--time-limit) or more "
      "memory (--memory), or use fewer kernels",
      needed, std::max(left.count(), 0.0)));
}

/// The plan is for this run, whose solver may need more memory than that of the run that stored the
/// kernels.
void KernelStore::use_stored() {
  const std::size_t data_bytes = plan_.data_bytes;
  plan_ = kernels_.plan;
  plan_.data_bytes = data_bytes;
  add_solver(memory_, *kernels_.sources.front(), context_, plan_);
  plan_.families.reset();
  if (kernels_.entry_bytes > 0 && !has_room(context_, plan_.total() + kernels_.entry_bytes)) {
    context_.tell("exact kernels are removed from memory, which this run needs");
    kernels_.exact.reset();
    kernels_.entries.clear();
    kernels_.entry_bytes = 0;
  }
  pass_seconds_ = evaluation_seconds(*kernels_.bank);
  predict_certificate();
  require_memory(plan_, context_);
}

Context KernelStore::solving() const {
  using Clock = std::chrono::steady_clock;
  Context context = beside(context_, plan_.data_bytes + kernels_.entry_bytes);
  if (!context.deadline) return context;
  // At most half of the time that is left for entries: the certificate needs those at support
  // vectors only, and nobody knows how many there will be.
  const std::chrono::duration<double> left = *context.deadline - Clock::now();
  const auto owed = static_cast<double>(owed_);
  const double kept =
      std::max(owed * reserve_seconds_, std::min(owed * entry_seconds_, 0.5 * left.count()));
  *context.deadline -=
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kept));
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
  kernels_.exact =
      std::make_unique<ReferenceKernels>(remembered ? kernels_.entries : kernels_.sources);
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
