#include "bank/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "bank/checks.hpp"
#include "bank/family/combined_factor.hpp"
#include "bank/family/factor_stack.hpp"
#include "bank/family/family_sketch.hpp"
#include "bank/packed/packed.hpp"
#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/names.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "kernmix/bank/beyond_memory.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Of a combination of all kernels of a family, at most.
Index columns_of(const FamilySketch& family) {
  return std::min(family.rank,
                  std::accumulate(family.core_ranks.begin(), family.core_ranks.end(), Index{0}));
}

std::size_t as_bytes(Index entries, std::size_t entry_size) {
  return static_cast<std::size_t>(entries) * entry_size;
}

/// Enters a family in the plan of its kernels: each takes its own core and its share of X.
void enter(const FamilySketch& family, Index n, bool double_precision, MemoryPlan& plan) {
  const auto members = static_cast<Index>(family.kernels.size());
  const std::size_t X = family_bytes(n, family.rank, 1, 0, double_precision);
  std::size_t entered = 0;
  for (Index k = 0; k < members; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Index rank = family.core_ranks[at];
    const std::size_t until = X * (at + 1) / family.kernels.size();
    const Index core = members > 1 ? family.rank * rank : 0;
    plan.kernels[static_cast<std::size_t>(family.kernels[at])] = {
        StorageKind::factor, rank, until - entered + as_bytes(core, sizeof(double))};
    entered = until;
  }
}

/// K(d) as a matrix in single precision.
std::size_t matrix_bytes(Index n) { return as_bytes(n * n, sizeof(float)); }

/// That or, where all kernels are factors and it takes fewer bytes, Z with K(d) = Z Z'.
std::size_t combined(const MemoryPlan& plan, Index n) {
  for (const MemoryPlan::Entry& entry : plan.kernels) {
    if (entry.kind != StorageKind::factor) return matrix_bytes(n);
  }
  return std::min(matrix_bytes(n), as_bytes(n * factor_columns(plan), sizeof(double)));
}

/// The factors of the cores of all families, as they stand while K(d) is made from them.
std::size_t core_bytes(const FamilySketches& sketches) {
  std::size_t of_parts = 0;
  for (const PartPlan& part : sketches.parts) of_parts += core_bytes(*part.plan.families);
  Index entries = 0;
  for (const FamilySketch& family : sketches.families) {
    if (family.kernels.size() > 1) entries += family.rank * columns_of(family);
  }
  return of_parts + as_bytes(entries, sizeof(double));
}

/// Beside the factor Z of K(d): the cores, then what removing columns takes, which shared bases do
/// without.
std::size_t factor_combination_bytes(const MemoryPlan& plan, Index n, const Context& context) {
  const FamilySketches& sketches = *plan.families;
  const bool shared = sketches.parts.empty() &&
                      std::ranges::all_of(sketches.families, [](const FamilySketch& family) {
                        return family.kernels.size() > 1;
                      });
  const auto columns = static_cast<Index>(plan.combined_bytes / (to_size(n) * sizeof(double)));
  return std::max(core_bytes(sketches), shared ? 0 : compression_bytes(n, columns, context));
}

/// A family of several kernels, on as many samples as its sketch saw; else null.
const FactorFamily* known_part(const FamilySketch& family) {
  const FactorFamily* known = family.part ? &*family.part : family.whole.get();
  return known != nullptr && !known->cores.empty() ? known : nullptr;
}

/// `columns` of the known part, on all samples: they grow as the rank does.
Index grown(const FamilySketch& family, Index columns) {
  const auto rank = static_cast<double>(std::max<Index>(known_part(family)->rank(), 1));
  const double growth = static_cast<double>(family.rank) / rank;
  return std::min(columns_of(family),
                  static_cast<Index>(std::ceil(growth * static_cast<double>(columns))));
}

/// The eigenvalues of the sum of all kernels of a family.
Vector spectrum(const FactorFamily& family) {
  FactorStack alone(family.columns.cols);
  alone.append(family, false);
  std::vector<Term> even;
  for (Index k = 0; k < alone.kernels(); ++k) even.push_back({k, 1.0});
  return alone.spectra(even).front();
}

/// Of a part of a kernel that is evaluated or read at once.
Index window_entries(const std::vector<KernelSourcePtr>& sources) {
  const bool read =
      std::ranges::any_of(sources, [](const auto& source) { return source->read_each_time(); });
  const Index side = std::min(sources.front()->rows(), longest_window);
  return std::max<Index>(64 * 512, read ? side * side : 0);
}

/// Kernels of all samples, and those that some samples lack, by the samples that have them.
struct SplitSources {
  std::vector<Index> whole;
  std::map<std::vector<Index>, std::vector<Index>> parts;
  std::vector<Index> landmarks;  ///< kernels that have a factor
};

SplitSources split_sources(const std::vector<KernelSourcePtr>& sources) {
  SplitSources split;
  for (Index m = 0; m < length(sources); ++m) {
    const auto part = sources[to_size(m)]->part();
    if (sources[to_size(m)]->by_landmarks() != nullptr) {
      split.landmarks.push_back(m);
    } else if (part) {
      split.parts[part->left->samples()].push_back(m);
    } else {
      split.whole.push_back(m);
    }
  }
  return split;
}

/// From the numbers of kernels among `whole` to their own.
void renumber(FamilySketches& sketches, const std::vector<Index>& whole) {
  const auto own = [&](std::vector<Index>& kernels) {
    for (Index& k : kernels) k = whole[to_size(k)];
  };
  for (FamilySketch& family : sketches.families) {
    own(family.kernels);
    if (family.whole) own(family.whole->kernels);
    if (family.part) own(family.part->kernels);
  }
}

constexpr Named<StorageKind> storage_names[] = {{StorageKind::packed32, "packed32"},
                                                {StorageKind::packed64, "packed64"},
                                                {StorageKind::factor, "factor"},
                                                {StorageKind::evaluated, "evaluated"}};

}  // namespace

std::string storage_name(StorageKind kind) { return name_in(storage_names, kind); }

std::size_t bank_workspace_bytes(const MemoryPlan& plan, Index n, const Context& context) {
  Index longest = 0;
  std::size_t sketched = 0;
  std::size_t parts = 0;
  for (const FamilySketch& family : plan.families->families) {
    if (family.landmarks) continue;  // in place, block by block
    longest = std::max(longest, family.rank);
    if (family.whole) {  // until it is in the bank, one after the other
      std::size_t own = as_bytes(n * family.rank, sizeof(double));
      for (const Matrix& core : family.whole->cores) {
        own += as_bytes(length(core.values), sizeof(double));
      }
      sketched = std::max(sketched, own);
    }
    if (family.part) parts += as_bytes(length(family.part->columns.values), sizeof(double));
  }
  const Index threads = context.workers();
  const Index at_once = std::min(threads, length(plan.families->families));
  const std::size_t products = as_bytes((length(packed_row_bounds(n)) - 1) * n, sizeof(double));
  // L', with room for 16 columns that no pivot was known for, as many that other threads left in
  // the heap, and a few vectors.
  const Index room = at_once > 1 ? 36 : 20;
  const std::size_t growing =
      longest > 0 ? parts + as_bytes(at_once * n * (longest + room), sizeof(double)) : 0;
  const std::size_t combination = plan.combined_bytes < matrix_bytes(n)
                                      ? factor_combination_bytes(plan, n, context)
                                      : combination_bytes(plan, n, sizeof(float));
  // While K(d) is not there yet.
  const std::size_t later = plan.bank_bytes + plan.combined_bytes;
  const std::size_t finding = std::max(plan.families->bytes, later) - later;
  const std::size_t building = std::max({growing, sketched, plan.check_bytes, plan.combined_bytes});
  std::size_t of_parts = 0;
  for (const PartPlan& part : plan.families->parts) {
    of_parts = std::max(of_parts, part.plan.workspace_bytes);
  }
  return std::max({of_parts, products, combination, finding, building - plan.combined_bytes}) +
         as_bytes(2 * threads * plan.window_entries, sizeof(double));
}

Index factor_columns(const MemoryPlan& plan) {
  Index columns = 0;
  for (const FamilySketch& family : plan.families->families) {
    columns += columns_of(family);
  }
  for (const PartPlan& part : plan.families->parts) columns += factor_columns(part.plan);
  return columns;
}

Index expected_columns(const MemoryPlan& plan) {
  const SerialBlas serial;
  if (plan.families->expected_columns >= 0) return plan.families->expected_columns;
  std::vector<const FamilySketch*> known;
  std::vector<Vector> spectra;
  double trace = 0.0;
  Index columns = 0;
  for (const PartPlan& part : plan.families->parts) columns += expected_columns(part.plan);
  for (const FamilySketch& family : plan.families->families) {
    const FactorFamily* const own = known_part(family);
    if (own == nullptr) {
      columns += columns_of(family);
      continue;
    }
    known.push_back(&family);
    spectra.push_back(spectrum(*own));
    trace += as_vector(ConstSpan(spectra.back())).sum();
  }
  for (std::size_t k = 0; k < known.size(); ++k) {
    const Index counted = std::ranges::count_if(spectra[k], [&](double eigenvalue) {
      return FactorStack::worth_a_column(eigenvalue, trace);
    });
    columns += grown(*known[k], counted);
  }
  return columns;
}

bool stores_columns(const MemoryPlan& plan) {
  return plan.families->parts.empty() &&
         std::ranges::all_of(plan.families->families,
                             [](const FamilySketch& family) { return family.kernels.size() == 1; });
}

std::size_t combination_bytes(const MemoryPlan& plan, Index n, std::size_t entry_size) {
  return as_bytes(n * factor_columns(plan), entry_size) + core_bytes(*plan.families);
}

std::size_t packed_bytes(Index n, bool double_precision) {
  return as_bytes(packed_size(n), double_precision ? sizeof(double) : sizeof(float));
}

bool mostly_dense(Index n, Index kernels, std::size_t bank_bytes) {
  return 2 * bank_bytes > static_cast<std::size_t>(kernels) * packed_bytes(n, false);
}

Index longest_factor(Index n, bool double_precision) {
  return (static_cast<Index>(packed_bytes(n, double_precision)) - 1) /
         (n * static_cast<Index>(sizeof(double)));
}

std::vector<KernelSourcePtr> sources_of_part(const std::vector<KernelSourcePtr>& sources,
                                             const std::vector<Index>& kernels) {
  std::vector<KernelSourcePtr> between;
  for (const Index m : kernels) between.push_back(sources[to_size(m)]->part()->source);
  return between;
}

std::shared_ptr<const MemoryPlan::Families> outlines(const MemoryPlan& plan) {
  FamilySketches all;
  for (const FamilySketch& sketch : plan.families->families) {
    all.families.push_back(outline(sketch));
  }
  for (const PartPlan& part : plan.families->parts) {
    all.parts.push_back(part);
    all.parts.back().plan.families = outlines(part.plan);
  }
  all.bytes = plan.families->bytes;
  all.expected_columns = expected_columns(plan);
  return std::make_shared<const FamilySketches>(std::move(all));
}

MemoryPlan plan_bank(const std::vector<KernelSourcePtr>& sources, const BankOptions& options,
                     const Context& context) {
  check_sources(sources);
  const Index n = sources.front()->rows();
  MemoryPlan plan;
  const StorageKind dense =
      options.double_precision ? StorageKind::packed64 : StorageKind::packed32;
  plan.kernels.assign(sources.size(), {dense, 0, packed_bytes(n, options.double_precision)});
  const SplitSources split = split_sources(sources);
  FamilySketches sketches;
  if (!split.whole.empty()) {
    sketches = sketch_families(entries_at(sources, split.whole), options, context);
    renumber(sketches, split.whole);
  }
  for (const Index m : split.landmarks) {
    const Index rank = sources[to_size(m)]->rank_bound();
    FamilySketch& family = sketches.families.emplace_back();
    family.kernels = {m};
    family.rank = rank;
    family.core_ranks = {rank};
    family.landmarks = true;
  }
  for (const FamilySketch& family : sketches.families)
    enter(family, n, options.double_precision, plan);
  for (const auto& [samples, kernels] : split.parts) {
    const auto between = sources_of_part(sources, kernels);
    PartPlan part{kernels, samples, plan_bank(between, options, context)};
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      plan.kernels[to_size(kernels[k])] = part.plan.kernels[k];
    }
    sketches.parts.push_back(std::move(part));
  }
  plan.families = std::make_shared<const FamilySketches>(std::move(sketches));
  for (const MemoryPlan::Entry& entry : plan.kernels) plan.bank_bytes += entry.bytes;
  plan.combined_bytes = combined(plan, n);
  plan.window_entries = window_entries(sources);
  const Index doubtful = std::ranges::count_if(
      sources, [](const auto& source) { return !source->always_psd() && !source->part(); });
  if (options.check_psd) plan.check_bytes = definiteness_bytes(n, doubtful, context);
  plan.workspace_bytes = bank_workspace_bytes(plan, n, context);
  return plan;
}

void evaluate_anew(MemoryPlan& plan, Index n, bool double_precision, const Context& context) {
  constexpr std::size_t batch_share = 8;
  constexpr std::size_t held_share = 4;
  constexpr std::size_t most_held = 64;
  constexpr std::size_t most_in_batch = 16;
  if (has_room(context, plan.total())) return;
  const std::size_t triangle = packed_bytes(n, double_precision);
  std::set<Index> of_parts;
  for (const PartPlan& part : plan.families->parts) {
    of_parts.insert(part.kernels.begin(), part.kernels.end());
  }
  std::vector<MemoryPlan::Entry*> dense;
  for (Index m = 0; m < length(plan.kernels); ++m) {
    MemoryPlan::Entry& entry = plan.kernels[to_size(m)];
    if (entry.kind != StorageKind::factor && !of_parts.contains(m)) dense.push_back(&entry);
  }
  const std::size_t beside = plan.total() - dense.size() * triangle;
  const std::size_t least = beside + 2 * triangle;  // a batch and a kernel that is held
  if (!has_room(context, least)) {
    plan.least_bytes = std::min(least, plan.total());
    return;
  }
  const std::size_t fit = (context.memory_bytes - beside) / triangle;
  const std::size_t batch = std::clamp<std::size_t>(fit / batch_share, 1, most_in_batch);
  const std::size_t held = std::clamp<std::size_t>(fit / held_share, 1, most_held);
  for (std::size_t k = fit - batch - held; k < dense.size(); ++k) {
    *dense[k] = {StorageKind::evaluated, 0, 0};
    plan.bank_bytes -= triangle;
  }
  plan.batch_bytes = batch * triangle;
  plan.held_bytes = held * triangle;
}

namespace {

/// "38.2 MiB for 5 dense kernels, 6.1 MiB for the data"
std::string memory_by_use(const MemoryPlan& plan, std::size_t dense) {
  std::vector<std::string> uses;
  const auto add = [&](std::size_t bytes, const std::string& use) {
    if (bytes > 0) uses.push_back(memory_text(bytes) + " " + use);
  };
  const std::size_t factors = plan.kernels.size() - dense;
  const char* plural = plan.kernels.size() == 1 ? "" : "s";
  add(plan.bank_bytes, dense == 0 ? fmt::format("for {} low-rank kernel{}", factors, plural)
                       : factors == 0
                           ? fmt::format("for {} dense kernel{}", dense, plural)
                           : fmt::format("for {} dense and {} low-rank kernels", dense, factors));
  add(plan.batch_bytes + plan.held_bytes, "for kernels that are evaluated anew");
  add(plan.data_bytes, "for the data");
  add(plan.combined_bytes, "for the combined kernel");
  add(plan.workspace_bytes, "of workspace");
  return comma_list(uses);
}

/// Landmarks replace dense kernels, and do not help if the data alone are too large.
std::string memory_remedy(const MemoryPlan& plan, std::size_t dense, const Context& context) {
  const bool of_landmarks = plan.families != nullptr &&
                            std::ranges::any_of(plan.families->families, &FamilySketch::landmarks);
  if (of_landmarks) {
    return "allow more memory, or use fewer landmarks (--landmarks), kernels or samples";
  }
  if (dense == 0) return "allow more memory, or use fewer kernels or samples";
  return fmt::format(
      "allow more memory, or use {}fewer kernels or samples, or kernels of lower rank (single "
      "columns)",
      has_room(context, plan.data_bytes) ? "landmarks (--landmarks), " : "");
}

}  // namespace

void require_memory(const MemoryPlan& plan, const Context& context) {
  if (has_room(context, plan.total())) return;
  const auto dense = static_cast<std::size_t>(std::ranges::count_if(
      plan.kernels,
      [](const MemoryPlan::Entry& entry) { return entry.kind != StorageKind::factor; }));
  const bool less = plan.least_bytes > 0 && plan.least_bytes < plan.total();
  const std::string needed =
      less ? "at least " + enough_memory_text(plan.least_bytes) : memory_text(plan.total());
  const std::string all =
      less ? fmt::format("; storing all kernels needs {}", memory_text(plan.total())) : "";
  throw ResourceError(fmt::format(
      "the computation needs {} of memory, more than the budget of {} (--memory){}: {}; {}", needed,
      memory_text(context.memory_bytes), all, memory_by_use(plan, dense),
      memory_remedy(plan, dense, context)));
}

void check_sources(const std::vector<KernelSourcePtr>& sources) {
  if (sources.empty()) throw ParameterError("a kernel bank needs at least one kernel");
  const Index n = sources.front()->rows();
  if (n < 1) throw DataError("a kernel bank needs at least one sample");
  for (std::size_t m = 0; m < sources.size(); ++m) {
    if (sources[m]->rows() == n && sources[m]->cols() == n) continue;
    throw DataError(fmt::format(
        "the kernels of a bank must be square and of one size: number {} is {} x {}, the first has "
        "{} rows",
        m + 1, sources[m]->rows(), sources[m]->cols(), n));
  }
}

}  // namespace kernmix
