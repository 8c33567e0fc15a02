#include "kernmix/bank/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "bank/as_given.hpp"
#include "bank/checks.hpp"
#include "bank/family/family_build.hpp"
#include "bank/family/family_sketch.hpp"
#include "bank/family/incomplete_cholesky.hpp"
#include "bank/packed/pack.hpp"
#include "bank/plan.hpp"
#include "bank/stored_bank.hpp"
#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/alike.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Calls body(i) for i = 0 .. count-1 in parallel or, if there are fewer than threads, one after
/// another with all threads in each.
template <typename Body>
void share_out(const Context& context, Index count, const Body& body) {
  if (count >= context.workers()) {
    parallel_for(context, count, body);
  } else {
    for (Index i = 0; i < count; ++i) body(i);
  }
}

/// Calls check(m) for kernels, in parallel if they are small.
template <typename Check>
void check_each(const BankOrder& order, const Context& context, std::span<const Index> kernels,
                const Check& check) {
  const auto one = [&](Index k) {
    stop_if_asked(context);
    check(kernels[static_cast<std::size_t>(k)]);
  };
  if (order.samples() <= most_samples_side_by_side) return share_out(context, length(kernels), one);
  for (Index k = 0; k < length(kernels); ++k) one(k);
}

/// Checks kernels that may be factored, because a factor would hide defects.
void check_before_factoring(const BankOrder& order, const FamilySketches& sketches,
                            const Context& context) {
  std::vector<Index> doubtful;
  for (const FamilySketch& sketch : sketches.families) {
    std::ranges::copy_if(sketch.kernels, std::back_inserter(doubtful),
                         [&](Index m) { return !order.source(m).always_psd(); });
  }
  check_each(order, context, doubtful, [&](Index m) {
    const KernelSource& source = order.source(m);
    if (may_be_asymmetric(source)) check_symmetric(source, order.name(m), context);
    if (order.options.check_psd) check_definite(source, order.name(m), context);
  });
}

/// Checks the other kernels in their stored precision.
void check_dense(const BankOrder& order, const KernelBank& bank, std::span<const Index> dense,
                 const Context& context) {
  if (!order.options.check_psd) return;
  std::vector<Index> doubtful;
  std::ranges::copy_if(dense, std::back_inserter(doubtful),
                       [&](Index m) { return !order.source(m).always_psd(); });
  check_each(order, context, doubtful, [&](Index m) {
    const KernelSource& source = order.source(m);
    const std::string& name = order.name(m);
    check_as_given(
        source, [&] { check_definite(bank, m, source, name, context); },
        [&](const KernelSource& given) { check_definite(given, name, context); });
  });
}

/// The family of a sketch; factors of single kernels, as far as these are worth it, where it turns
/// out to need more bytes than triangles.
std::vector<FactorFamily> factored(const BankOrder& order, const FamilySketch& sketch,
                                   const Context& context) {
  const Index n = order.samples();
  const Index longest = longest_factor(n, order.options.double_precision);
  std::vector<Index> numbers;  // in an order that does not depend on where samples lie in memory
  const auto source = [&](Index m) -> const KernelSource& { return order.source(m); };
  for (const std::vector<Index>& same : alike(sketch.kernels, source)) {
    numbers.insert(numbers.end(), same.begin(), same.end());
  }
  std::vector<const KernelSource*> kernels;
  for (const Index m : numbers) kernels.push_back(&order.source(m));
  const Index most = std::min(n, longest * length(kernels));
  std::vector<FactorFamily> result;
  if (auto family = build_family(kernels, numbers, sketch.pivots, order.options.factor_tolerance,
                                 most, context)) {
    result.push_back(std::move(*family));
    return result;
  }
  // Pivots of the sketch that lie close together make residuals negative; those of the kernel do
  // not.
  const bool other_pivots = !sketch.pivots.empty();
  for (std::size_t k = 0; (kernels.size() > 1 || other_pivots) && k < kernels.size(); ++k) {
    if (auto alone = build_family({kernels[k]}, {numbers[k]}, {}, order.options.factor_tolerance,
                                  longest, context)) {
      result.push_back(std::move(*alone));
    }
  }
  return result;
}

/// Kernels between two reports of progress.
Index kernels_per_batch(Index n, const Context& context) {
  constexpr Index small = 2048;
  return (n < small ? 16 : 4) * context.workers();
}

/// Families on some samples are for the plan only.
std::vector<FamilySketch> without_parts(const std::vector<FamilySketch>& sketches) {
  std::vector<FamilySketch> all;
  for (const FamilySketch& sketch : sketches) {
    all.push_back(outline(sketch));
    all.back().whole = sketch.whole;
  }
  return all;
}

/// A bank under construction, compared with its plan.
class Building {
 public:
  Building(const BankOrder& order, MemoryPlan plan, const Context& context)
      : order_(order),
        plan_(std::move(plan)),
        context_(context),
        sketches_(without_parts(plan_.families->families)),
        parts_(plan_.families->parts),
        bank_(std::make_unique<StoredBank>(order.samples(), length(order.sources))) {}

  /// All families. \returns the kernels without a family
  std::vector<Index> keep_families();
  void keep_dense(std::span<const Index> kernels);
  /// Those of `kernels` that the plan does not store.
  void keep_evaluated(std::span<const Index> kernels);
  /// Kernels that some samples lack.
  void keep_parts();
  std::unique_ptr<KernelBank> finished() { return std::move(bank_); }

 private:
  /// Reports the number of stored kernels, and checks the memory of the bank.
  void account(const std::vector<Index>& kernels, std::size_t bytes_before);

  const BankOrder& order_;
  MemoryPlan plan_;
  const Context& context_;
  std::vector<FamilySketch> sketches_;  ///< their families go once the bank has them
  std::vector<PartPlan> parts_;
  std::unique_ptr<StoredBank> bank_;
  Index done_ = 0;
};

void Building::account(const std::vector<Index>& kernels, std::size_t bytes_before) {
  std::size_t planned = 0;
  for (const Index m : kernels) planned += plan_.kernels[static_cast<std::size_t>(m)].bytes;
  plan_.bank_bytes += bank_->bytes() - bytes_before;
  plan_.bank_bytes -= planned;
  require_memory(plan_, context_);
  done_ += length(kernels);
  if (!kernels.empty()) context_.report({"kernels", done_, length(order_.sources), 1.0});
}

std::vector<Index> Building::keep_families() {
  std::vector<char> kept(order_.sources.size(), 0);
  plan_.families.reset();
  const Index batch = context_.workers();
  for (Index begin = 0; begin < length(sketches_); begin += batch) {
    std::vector<std::vector<FactorFamily>> built(
        static_cast<std::size_t>(std::min(batch, length(sketches_) - begin)));
    const auto sketch = [&](Index k) -> FamilySketch& { return sketches_[to_size(begin + k)]; };
    share_out(context_, length(built), [&](Index k) {
      stop_if_asked(context_);
      if (sketch(k).whole || sketch(k).landmarks) return;
      built[static_cast<std::size_t>(k)] = factored(order_, sketch(k), context_);
    });
    const std::size_t before = bank_->bytes();
    std::vector<Index> kernels;
    const auto keep = [&](const FactorFamily& family) {
      bank_->keep(family, single_basis(order_.samples(), order_.options.double_precision));
      for (const Index m : family.kernels) {
        kernels.push_back(m);
        kept[static_cast<std::size_t>(m)] = 1;
      }
    };
    for (Index k = 0; k < length(built); ++k) {
      if (const auto whole = std::exchange(sketch(k).whole, nullptr)) keep(*whole);
      if (sketch(k).landmarks) {
        const Index m = sketch(k).kernels.front();
        bank_->keep(m, *order_.source(m).by_landmarks(),
                    single_basis(order_.samples(), order_.options.double_precision), context_);
        kernels.push_back(m);
        kept[static_cast<std::size_t>(m)] = 1;
      }
      for (const FactorFamily& family : built[static_cast<std::size_t>(k)]) keep(family);
    }
    account(kernels, before);
  }
  for (const PartPlan& part : parts_) {
    for (const Index m : part.kernels) kept[static_cast<std::size_t>(m)] = 1;
  }
  std::vector<Index> dense;
  for (Index m = 0; m < length(kept); ++m) {
    if (kept[static_cast<std::size_t>(m)] == 0) dense.push_back(m);
  }
  return dense;
}

void Building::keep_dense(std::span<const Index> kernels) {
  std::vector<Index> dense;
  std::ranges::copy_if(kernels, std::back_inserter(dense), [&](Index m) {
    return plan_.kernels[to_size(m)].kind != StorageKind::evaluated;
  });
  const Index batch = kernels_per_batch(order_.samples(), context_);
  std::vector<PackedKernel> built(order_.sources.size());
  for (Index begin = 0; begin < length(dense); begin += batch) {
    const auto now =
        slice(std::span<const Index>(dense), begin, std::min(begin + batch, length(dense)));
    pack(order_, now, built, context_);
    const std::size_t before = bank_->bytes();
    for (const Index m : now) {
      PackedKernel& kernel = built[static_cast<std::size_t>(m)];
      if (auto* single = std::get_if<Packed<float>>(&kernel)) bank_->keep(m, std::move(*single));
      if (auto* twice = std::get_if<Packed<double>>(&kernel)) bank_->keep(m, std::move(*twice));
      kernel = std::monostate();
    }
    account({now.begin(), now.end()}, before);
  }
}

void Building::keep_evaluated(std::span<const Index> kernels) {
  std::vector<Index> anew;
  std::ranges::copy_if(kernels, std::back_inserter(anew), [&](Index m) {
    return plan_.kernels[to_size(m)].kind == StorageKind::evaluated;
  });
  if (anew.empty()) return;
  EvaluatedStack stack(entries_at(order_.sources, anew), entries_at(order_.names, anew),
                       order_.options, {plan_.batch_bytes, plan_.held_bytes});
  stack.measure(context_);
  bank_->keep(anew, std::move(stack));
}

void Building::keep_parts() {
  Context quiet = context_;
  quiet.progress = nullptr;
  for (PartPlan& part : parts_) {
    stop_if_asked(context_);
    std::unique_ptr<KernelBank> bank;
    try {
      bank = build_bank(sources_of_part(order_.sources, part.kernels),
                        entries_at(order_.names, part.kernels), order_.options,
                        std::move(part.plan), quiet);
    } catch (const DataError& failure) {
      throw DataError(fmt::format("{} (numbered among the {} of {} samples that have its view)",
                                  failure.what(), part.samples.size(), order_.samples()));
    }
    const std::size_t before = bank_->bytes();
    bank_->keep(part.kernels, part.samples, std::move(bank));
    account(part.kernels, before);
  }
}

}  // namespace

std::unique_ptr<KernelBank> build_bank(const std::vector<KernelSourcePtr>& sources,
                                       const std::vector<std::string>& names,
                                       const BankOptions& options, const Context& context) {
  return build_bank(sources, names, options, plan_bank(sources, options, context), context);
}

std::unique_ptr<KernelBank> build_bank(const std::vector<KernelSourcePtr>& sources,
                                       const std::vector<std::string>& names,
                                       const BankOptions& options, MemoryPlan plan,
                                       const Context& context) {
  const SerialBlas serial;
  if (names.size() != sources.size()) {
    throw ParameterError(fmt::format("a kernel bank needs one name per kernel, got {} for {}",
                                     names.size(), sources.size()));
  }
  require_memory(plan, context);
  stop_if_asked(context);
  const BankOrder order{sources, names, options};
  check_before_factoring(order, *plan.families, context);
  Building building(order, std::move(plan), context);
  const std::vector<Index> dense = building.keep_families();
  building.keep_dense(dense);
  building.keep_evaluated(dense);
  building.keep_parts();
  std::unique_ptr<KernelBank> bank = building.finished();
  check_dense(order, *bank, dense, context);
  return bank;
}

}  // namespace kernmix
