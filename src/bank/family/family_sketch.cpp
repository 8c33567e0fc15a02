#include "bank/family/family_sketch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

#include "bank/checks.hpp"
#include "bank/family/family_holders.hpp"
#include "bank/family/kernel_groups.hpp"
#include "bank/family/shared_basis.hpp"
#include "bank/plan.hpp"
#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/memory/memory_text.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr Index sketch_samples = 512;
constexpr Index pivot_samples = 2048;

/// Room for numbers.
std::size_t bytes_of(const Vector& values) { return values.capacity() * sizeof(double); }

std::size_t bytes_of(const std::vector<Matrix>& cores) {
  std::size_t sum = 0;
  for (const Matrix& core : cores) sum += bytes_of(core.values);
  return sum;
}

std::size_t bytes_of(const KernelProbe& look) {
  return bytes_of(look.diagonal) + static_cast<std::size_t>(look.rows.size()) * sizeof(float);
}

template <typename Pointer>
std::size_t bytes_of_family(const Pointer& family) {
  return family ? bytes_of(family->columns.values) + bytes_of(family->cores) : 0;
}

std::size_t bytes_of(const FamilySketch& sketch) {
  return bytes_of_family(sketch.whole) + bytes_of_family(sketch.part);
}

std::size_t bytes_of(const Leader& leader) {
  return sizeof(Leader) + bytes_of(leader.found.columns.values) + bytes_of(leader.found.residual) +
         bytes_of(leader.basis.columns.values) + bytes_of(leader.basis.signs_on_places.values) +
         bytes_of(leader.core.values) + bytes_of(leader.at_places.values) + bytes_of(leader.cores) +
         bytes_of(leader.sketch);
}

template <typename T>
std::size_t bytes_of_all(const std::vector<T>& parts) {
  std::size_t sum = 0;
  for (const T& part : parts) sum += bytes_of(part);
  return sum;
}

class Sketching {
 public:
  Sketching(const std::vector<KernelSourcePtr>& sources, const BankOptions& options,
            const Context& context)
      : sources_(sources),
        options_(options),
        context_(context),
        n_(sources.front()->rows()),
        samples_(spaced_samples(n_, sketch_samples)),
        places_(spaced_samples(length(samples_), 4)),
        signs_(random_signs(length(samples_))),
        longest_(longest_factor(n_, options.double_precision)) {}

  FamilySketches run() {
    form_groups();
    while (std::ranges::any_of(groups_, [](const auto& g) { return !g.kernels.empty(); })) round();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const KernelSource& source(Index m) const {
    return *sources_[static_cast<std::size_t>(m)];
  }
  [[nodiscard]] HolderSearch holders() const {
    return {sources_, looks_, samples_, places_, signs_, options_.factor_tolerance, longest_};
  }
  [[nodiscard]] bool sees_all() const { return length(samples_) == n_; }
  /// Kernels in double precision keep bases of their own.
  [[nodiscard]] bool share() const { return !options_.double_precision; }

  void form_groups();
  void round();
  [[nodiscard]] std::vector<Leader> next_leaders();
  void join_leaders(std::vector<Leader>& leaders) const;
  void widen_search(const std::vector<Leader>& leaders);
  void place_others(std::vector<Leader>& leaders);
  void make_basis(Leader& leader, bool alone) const;
  void require_room(std::size_t held) const;
  [[nodiscard]] bool looks_full(const KernelSource& source) const;
  [[nodiscard]] bool triangles_fit() const;
  void extrapolate(Leader& leader) const;
  static void join(Leader& leader, Index kernel, Matrix core);
  void finish(Leader& leader);

  const std::vector<KernelSourcePtr>& sources_;
  const BankOptions& options_;
  const Context& context_;
  Index n_;
  std::vector<Index> samples_;
  std::vector<Index> places_;  ///< of the few samples for a first look, among them
  Matrix signs_;               ///< random_signs() of the samples
  Index longest_;              ///< rank up to which a factor alone is smaller than a triangle
  std::vector<KernelProbe> looks_;
  std::vector<Candidates> groups_;
  FamilySketches result_;
};

void Sketching::form_groups() {
  std::vector<Index> able;
  for (Index m = 0; m < length(sources_); ++m) {
    // The residual of an incomplete factorisation is small only where K is known to be
    // semidefinite.
    const bool known = source(m).always_psd() || options_.check_psd;
    if (known && !source(m).definite_on_differences_only()) able.push_back(m);
  }
  if (!share()) {
    if (!able.empty()) groups_.push_back({able, length(able)});
    return;
  }
  looks_.resize(sources_.size());
  parallel_for(context_, length(able), [&](Index k) {
    const Index m = able[static_cast<std::size_t>(k)];
    looks_[static_cast<std::size_t>(m)] = first_look(source(m), samples_, places_);
  });
  groups_ = grouped_by_comparison(sources_, looks_, std::move(able));
}

/// Some kernels of each group make a basis, and the others are tested against it.
void Sketching::round() {
  std::vector<Leader> leaders = next_leaders();
  if (share()) join_leaders(leaders);
  widen_search(leaders);
  place_others(leaders);
  const std::size_t held =
      bytes_of_all(looks_) + bytes_of_all(result_.families) + bytes_of_all(leaders);
  result_.bytes = std::max(result_.bytes, held);
  for (Leader& leader : leaders) finish(leader);
}

/// The first kernels of each group, which leave it, with their bases.
std::vector<Leader> Sketching::next_leaders() {
  std::vector<Leader> leaders;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Candidates& group = groups_[g];
    const Index count = std::min(group.leaders, length(group.kernels));
    for (Index k = 0; k < count; ++k) {
      Leader leader;
      leader.group = g;
      leader.kernel = group.kernels[static_cast<std::size_t>(k)];
      leaders.push_back(std::move(leader));
    }
  }
  std::atomic<std::size_t> held = bytes_of_all(looks_) + bytes_of_all(result_.families);
  parallel_for(context_, length(leaders), [&](Index k) {
    stop_if_asked(context_);
    Leader& leader = leaders[static_cast<std::size_t>(k)];
    make_basis(leader, !share() || groups_[leader.group].kernels.size() == 1);
    const std::size_t own = bytes_of(leader);
    require_room(held.fetch_add(own) + own);
  });
  for (auto& [kernels, count] : groups_) {
    kernels.erase(kernels.begin(), kernels.begin() + std::min(count, length(kernels)));
  }
  return leaders;
}

/// Checks memory during the search, because the check of the whole plan would be too late.
void Sketching::require_room(std::size_t held) const {
  const std::size_t allowed = context_.memory_bytes;
  if (allowed == 0 || held <= allowed) return;
  throw ResourceError(
      fmt::format("the {2} low-rank kernels of {0} samples need more than the memory budget of "
                  "{1} (--memory): use fewer kernels or samples, or allow more memory",
                  n_, memory_text(allowed), sources_.size()));
}

/// Leaders represented by the basis of an earlier one need no basis.
void Sketching::join_leaders(std::vector<Leader>& leaders) const {
  for (std::size_t k = 1; k < leaders.size(); ++k) {
    Leader& leader = leaders[k];
    if (leader.sketch.kernels.empty()) continue;
    std::optional<Held> held;
    holders().find(std::array{FamilyCandidate{leader.group, leader.kernel}},
                   std::span(leaders).first(k), {&held, 1});
    if (!held) continue;
    join(leaders[held->leader], leader.kernel, std::move(held->core));
    leader.joined = true;
    leader.basis = {};
  }
}

/// If no leader of a group has a basis, the next round tries more leaders.
void Sketching::widen_search(const std::vector<Leader>& leaders) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const bool found = std::ranges::any_of(leaders, [&](const Leader& leader) {
      return leader.group == g && !leader.sketch.kernels.empty();
    });
    if (!found) groups_[g].leaders = std::min(2 * groups_[g].leaders, most_leaders);
  }
}

/// Moves kernels that the basis of a leader represents from their group to its family.
void Sketching::place_others(std::vector<Leader>& leaders) {
  constexpr Index together = 4;  // whose own factors are computed side by side
  std::vector<FamilyCandidate> rest;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const Index m : groups_[g].kernels) rest.push_back({g, m});
  }
  std::vector<std::optional<Held>> found(rest.size());
  parallel_blocks(context_, length(rest), together, [&](Index, Index begin, Index end) {
    stop_if_asked(context_);
    const auto first = static_cast<std::size_t>(begin);
    const auto count = static_cast<std::size_t>(end - begin);
    holders().find(std::span(rest).subspan(first, count), leaders,
                   std::span(found).subspan(first, count));
  });
  for (std::size_t k = 0; k < rest.size(); ++k) {
    if (!found[k]) continue;
    join(leaders[found[k]->leader], rest[k].kernel, std::move(found[k]->core));
    std::erase(groups_[rest[k].group].kernels, rest[k].kernel);
  }
}

/// True where a small sample shows that the kernel is of (nearly) full rank there.
bool Sketching::looks_full(const KernelSource& source) const {
  const Index size = std::clamp<Index>(longest_ / 2, 64, sketch_samples / 2);
  if (size >= n_) return false;
  // Any samples will do; of a matrix in memory, neighbours cost the fewest cache lines.
  const bool neighbours = source.stored() || source.read_each_time();
  const std::vector<Index> few = neighbours ? all_samples(size) : spaced_samples(n_, size);
  const auto look = [&](const RowwiseMatrix& K) {
    return incomplete_cholesky(K, options_.factor_tolerance, size - size / 8, Context()).outcome !=
           Factorization::Outcome::complete;
  };
  if (!source.read_each_time()) return look(rowwise(source, few));
  Matrix K(size, size);
  source.block(few, few, K.values);
  const auto row = [&](Index p, Index begin, Index end, double* out) {
    std::copy_n(K.row(p).data() + begin, end - begin, out);
  };
  const auto diagonal = as_matrix(K).diagonal();
  return look({{diagonal.begin(), diagonal.end()}, row, {{K.values.data(), size, 1.0}}});
}

/// Whether all kernels and K(d) could be triangles in half of the memory. A long factor, whose
/// length is only known from the number of columns, then saves little memory and takes several
/// times the time of a triangle: n R^2 / 2 products, one column after the other.
bool Sketching::triangles_fit() const {
  const std::size_t all =
      (sources_.size() + 2) * packed_bytes(n_, options_.double_precision);  // K(d) is a square
  return context_.memory_bytes == 0 || all <= context_.memory_bytes / 2;
}

/// Leaves a leader without kernels if a factor is not worthwhile.
void Sketching::make_basis(Leader& leader, bool alone) const {
  const SerialBlas serial;
  const KernelSource& kernel = source(leader.kernel);
  const Index bound = std::min(kernel.rank_bound(), n_);
  const Index most = alone || longest_ < 8 ? longest_ : longest_ + longest_ / 4;
  if (!looks_full(kernel)) {
    const Index allowed = sees_all() ? most : std::min(most, sketch_samples / 2);
    leader.found = incomplete_cholesky(rowwise(kernel, samples_), options_.factor_tolerance,
                                       allowed, Context());
    leader.found.residual = {};
    leader.rank = leader.found.rank();
    if (leader.found.outcome == Factorization::Outcome::complete) {
      leader.sketch.kernels = {leader.kernel};
      leader.sketch.rank = leader.rank;
      leader.sketch.core_ranks = {leader.rank};
      if (!alone) {
        const Matrix G = pivot_rows(leader.found);
        leader.core = Matrix(G.cols, G.rows);
        as_matrix(leader.core) = as_matrix(G).transpose();
        leader.basis = shared_basis(leader.found, G, signs_);
        leader.at_places = Matrix(length(places_), leader.basis.rank());
        as_matrix(leader.at_places) =
            as_matrix(leader.basis.columns)(Eigen::indexing::all, places_).transpose();
      }
      if (!sees_all()) extrapolate(leader);
      return;
    }
  }
  const bool slow = n_ > pivot_samples && 3 * bound > longest_;
  if (bound > longest_ || (slow && triangles_fit())) return;
  leader.sketch.kernels = {leader.kernel};
  leader.sketch.rank = bound;
  leader.sketch.core_ranks = {bound};
}

/// Ranks of smooth kernels grow at most with the logarithm of n: what two samples say of that.
void Sketching::extrapolate(Leader& leader) const {
  const KernelSource& kernel = source(leader.kernel);
  const std::vector<Index> more = spaced_samples(n_, pivot_samples);
  const Factorization found = incomplete_cholesky(rowwise(kernel, more), options_.factor_tolerance,
                                                  longest_ + longest_ / 4, Context());
  for (const Index p : found.pivots) {
    leader.sketch.pivots.push_back(more[static_cast<std::size_t>(p)]);
  }
  leader.sketch.rank = found.rank();
  if (length(more) == n_) return;
  const double steps = std::log(static_cast<double>(n_) / static_cast<double>(pivot_samples)) /
                       std::log(static_cast<double>(pivot_samples) / sketch_samples);
  const auto growth = static_cast<double>(found.rank() - leader.rank);
  const Index grown = found.rank() + static_cast<Index>(std::ceil(growth * steps));
  leader.sketch.rank = std::min({grown, kernel.rank_bound(), n_});
}

void Sketching::join(Leader& leader, Index kernel, Matrix core) {
  leader.sketch.kernels.push_back(kernel);
  leader.sketch.core_ranks.push_back(core.rows);
  leader.cores.push_back(std::move(core));
}

/// L' of the kernel of a leader, whose basis is X = L L[P, :]^-1 if others might have shared it.
Matrix own_factor(Leader& leader) {
  if (leader.core.values.empty()) return std::move(leader.found.columns);
  as_matrix(leader.basis.columns) =
      as_matrix(leader.core).triangularView<Eigen::Upper>() * as_matrix(leader.basis.columns);
  return std::move(leader.basis.columns);
}

/// Keeps the family of a leader if it takes less memory than triangles.
void Sketching::finish(Leader& leader) {
  FamilySketch& sketch = leader.sketch;
  if (leader.joined || sketch.kernels.empty()) return;
  const auto growth =
      static_cast<double>(sketch.rank) / static_cast<double>(std::max<Index>(leader.rank, 1));
  for (Index& rank : sketch.core_ranks) {
    if (!sees_all()) {
      rank =
          std::min(sketch.rank, static_cast<Index>(std::ceil(growth * static_cast<double>(rank))));
    }
  }
  const Index members = length(sketch.kernels);
  const Index core_columns =
      std::accumulate(sketch.core_ranks.begin(), sketch.core_ranks.end(), Index{0});
  const std::size_t packed =
      static_cast<std::size_t>(members) * packed_bytes(n_, options_.double_precision);
  if (family_bytes(n_, sketch.rank, members, core_columns, options_.double_precision) >= packed)
    return;
  if (leader.found.outcome == Factorization::Outcome::complete) {
    FactorFamily found{sketch.kernels, {}, {}};
    if (members == 1) {
      found.columns = own_factor(leader);
    } else {
      found.columns = std::move(leader.basis.columns);
      found.cores.push_back(std::move(leader.core));
      for (Matrix& other : leader.cores) found.cores.push_back(std::move(other));
    }
    if (sees_all()) {
      sketch.whole = std::make_shared<FactorFamily>(std::move(found));
    } else if (members > 1) {
      sketch.part = std::move(found);
    }
  }
  result_.families.push_back(std::move(sketch));
}

}  // namespace

FamilySketch outline(const FamilySketch& sketch) {
  return {sketch.kernels, sketch.pivots, sketch.rank, sketch.core_ranks, {}, {}, sketch.landmarks};
}

FamilySketches sketch_families(const std::vector<KernelSourcePtr>& sources,
                               const BankOptions& options, const Context& context) {
  const SerialBlas serial;
  return Sketching(sources, options, context).run();
}

}  // namespace kernmix
