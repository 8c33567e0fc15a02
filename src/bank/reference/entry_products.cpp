#include <algorithm>
#include <cmath>
#include <limits>

#include "bank/reference/source_rows.hpp"
#include "bank/reference/twofold.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/bounded_products.hpp"

namespace kernmix {
namespace {

constexpr Index entry_rows = 64;
constexpr Index cols_of_products = 128;
constexpr Index cols_of_forms = 512;
constexpr Index cols_of_files = 1024;  // that are read at once

using Indices = std::span<const Index>;

/// Kernels whose products stand side by side: 64 MiB of them, at most.
Index products_together(Index n, Index requests) {
  constexpr double most_numbers = 0x1p23;
  const double each = 3.0 * static_cast<double>(requests) * static_cast<double>(n);
  return std::clamp<Index>(static_cast<Index>(most_numbers / each), 1, 16);
}

/// One of each for every request: K[rows, cols]' a, and a number.
using Columns = std::vector<twofold::Sums>;
using Numbers = std::vector<twofold::Sum>;

class EntryProducts {
 public:
  EntryProducts(const std::vector<KernelSourcePtr>& sources,
                std::span<const ProductRequest> requests, const Context& context)
      : sources_(sources),
        requests_(requests),
        context_(context),
        n_(sources.front()->rows()),
        forms_(sources.size(), Numbers(requests.size())),
        products_(requests.size(), twofold::Sums(n_)) {
    for (Index i = 0; i < n_; ++i) {
      all_.push_back(i);
      if (asks([&](const ProductRequest& r) { return r.a[at(i)] != 0.0; })) support_.push_back(i);
    }
    for (Index m = 0; m < length(sources); ++m) {
      const bool product = asks([&](const ProductRequest& r) { return r.d[at(m)] != 0.0; });
      (product ? with_product_ : others_).push_back(m);
    }
  }

  std::vector<BankProducts> run() {
    const Index together = products_together(n_, length(requests_));
    for (Index first = 0; first < length(with_product_); first += together) {
      const Index end = std::min(first + together, length(with_product_));
      add_products(slice(with_product_, first, end));
    }
    add_forms();
    std::vector<BankProducts> results;
    for (std::size_t r = 0; r < requests_.size(); ++r) results.push_back(rounded(r));
    return results;
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  template <typename Condition>
  [[nodiscard]] bool asks(const Condition& condition) const {
    return std::ranges::any_of(requests_, condition);
  }

  [[nodiscard]] const KernelSource& source(Index m) const { return *sources_[at(m)]; }

  /// Kernels that a d weighs, read once for both products: at all samples, of which those with a_j
  /// count for the form.
  void add_products(Indices kernels) {
    const bool read =
        std::ranges::any_of(kernels, [&](Index m) { return source(m).read_each_time(); });
    const Index width = read ? cols_of_files : cols_of_products;
    const Index blocks = blocks_of(n_, width);
    const auto place = [&](Index k, Index b) { return at(k * blocks + b); };
    std::vector<Columns> sums(at(length(kernels) * blocks));
    std::vector<Numbers> parts(sums.size());
    parallel_for(context_, length(sums), [&](Index task) {
      const Index begin = task % blocks * width;
      const Indices cols = slice(all_, begin, std::min(begin + width, n_));
      sums[at(task)] = Columns(requests_.size(), twofold::Sums(length(cols)));
      add_rows(source(kernels[at(task / blocks)]), support_, cols, sums[at(task)]);
      parts[at(task)] = dots(sums[at(task)], cols);
    });
    parallel_for(context_, blocks, [&](Index b) {
      for (Index k = 0; k < length(kernels); ++k) {
        for (std::size_t r = 0; r < requests_.size(); ++r) {
          const double weight = requests_[r].d[at(kernels[at(k)])];
          if (weight == 0.0) continue;
          twofold::add_scaled(weight, sums[place(k, b)][r], b * width, products_[r]);
        }
      }
    });
    for (Index b = 0; b < blocks; ++b) {
      for (Index k = 0; k < length(kernels); ++k) {
        add(1.0, parts[place(k, b)], forms_[at(kernels[at(k)])]);
      }
    }
  }

  /// The other kernels, of which half of the entries do:
  /// a' K a = 2 sum_j a_j (sum_{i > j} K_ij a_i + K_jj a_j / 2).
  void add_forms() {
    const bool read =
        std::ranges::any_of(others_, [&](Index m) { return source(m).read_each_time(); });
    const Index width = read ? cols_of_files : cols_of_forms;
    const Index blocks = blocks_of(n_, width);
    std::vector<Numbers> parts(others_.size() * at(blocks));
    parallel_for(context_, length(parts), [&](Index task) {
      const KernelSource& K = source(others_[at(task / blocks)]);
      // In memory and in files neighbours are read in one piece.
      const bool neighbours = K.stored() || K.read_each_time();
      const Indices samples = neighbours ? Indices(all_) : Indices(support_);
      const Index begin = std::min(task % blocks * width, length(samples));
      const Index end = std::min(begin + width, length(samples));
      const Indices cols = slice(samples, begin, end);
      Columns sums(requests_.size(), twofold::Sums(end - begin));
      if (!cols.empty()) {
        const auto first = std::ranges::lower_bound(support_, cols.front());
        add_rows_below_diagonal(K, {first, support_.end()}, cols, sums);
      }
      parts[at(task)] = dots(sums, cols);
    });
    for (std::size_t task = 0; task < parts.size(); ++task) {
      add(2.0, parts[task], forms_[at(others_[task / at(blocks)])]);
    }
  }

  /// sums += K[rows, cols]' a[rows]
  void add_rows(const KernelSource& source, Indices rows, Indices cols, Columns& sums) const {
    for (Index begin = 0; begin < length(rows); begin += entry_rows) {
      const Indices some = slice(rows, begin, std::min(begin + entry_rows, length(rows)));
      add_whole(SourceRows(source, some, cols), some, 0, cols, sums);
    }
  }

  /// The same of entries below the diagonal, and half of those on it.
  void add_rows_below_diagonal(const KernelSource& source, Indices rows, Indices cols,
                               Columns& sums) const {
    for (Index begin = 0; begin < length(rows); begin += entry_rows) {
      const Indices some = slice(rows, begin, std::min(begin + entry_rows, length(rows)));
      const SourceRows K(source, some, cols);
      const Index crossing = std::ranges::upper_bound(some, cols.back()) - some.begin();
      add_triangle(K, some.first(at(crossing)), cols, sums);
      add_whole(K, some, crossing, cols, sums);
    }
  }

  /// Rows of samples among `cols`, four at a time: the columns before all of them, and a copy of
  /// the others with zeros above the diagonal and half of the diagonal.
  void add_triangle(const SourceRows& K, Indices rows, Indices cols, Columns& sums) const {
    const auto place = [&](Index k) {
      return std::ranges::lower_bound(cols, rows[at(k)]) - cols.begin();
    };
    Vector corner;
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const std::vector<Index> own = rows_of(r, rows, 0);
      for (Index i = 0; i < length(own); i += 4) {
        const Index count = std::min<Index>(4, length(own) - i);
        const Index begin = place(own[at(i)]);
        const Index width = place(own[at(i + count - 1)]) + 1 - begin;
        add_four(K, rows, own, i, begin, r, sums[r]);
        corner.assign(at(count * width), 0.0);
        for (Index k = 0; k < count; ++k) {
          const Index row = own[at(i + k)];
          double* const last =
              std::copy_n(K[row] + begin, place(row) - begin, &corner[at(k * width)]);
          *last = 0.5 * K[row][place(row)];
        }
        const auto corner_row = [&](Index k) { return &corner[at(k * width)]; };
        const auto a = [&](Index k) { return requests_[r].a[at(rows[at(own[at(i + k)])])]; };
        twofold::add_rows(simd::four_rows<double>(0, count, corner_row, a), K.scale(), begin, width,
                          sums[r]);
      }
    }
  }

  /// Rows from `first` on, for each request those where its a is not zero.
  void add_whole(const SourceRows& K, Indices rows, Index first, Indices cols,
                 Columns& sums) const {
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const std::vector<Index> own = rows_of(r, rows, first);
      for (Index i = 0; i < length(own); i += 4) {
        add_four(K, rows, own, i, length(cols), r, sums[r]);
      }
    }
  }

  /// Places from `first` on where the a of request r is not zero.
  [[nodiscard]] std::vector<Index> rows_of(std::size_t r, Indices rows, Index first) const {
    std::vector<Index> own;
    for (Index k = first; k < length(rows); ++k) {
      if (requests_[r].a[at(rows[at(k)])] != 0.0) own.push_back(k);
    }
    return own;
  }

  /// Four rows at most, own[i] and the next ones, at columns before `end`.
  void add_four(const SourceRows& K, Indices rows, const std::vector<Index>& own, Index i,
                Index end, std::size_t r, twofold::Sums& sums) const {
    const auto row = [&](Index k) { return K[own[at(k)]]; };
    const auto a = [&](Index k) { return requests_[r].a[at(rows[at(own[at(k)])])]; };
    twofold::add_rows(simd::four_rows<double>(i, length(own), row, a), K.scale(), 0, end, sums);
  }

  /// a[cols]' sums of each request.
  [[nodiscard]] Numbers dots(const Columns& sums, Indices cols) const {
    Numbers numbers;
    Vector a(cols.size());
    for (std::size_t r = 0; r < sums.size(); ++r) {
      std::ranges::transform(cols, a.begin(), [&](Index j) { return requests_[r].a[at(j)]; });
      numbers.push_back(twofold::dot(a, sums[r]));
    }
    return numbers;
  }

  static void add(double weight, const Numbers& numbers, Numbers& to) {
    for (std::size_t r = 0; r < to.size(); ++r) twofold::add(weight, numbers[r], to[r]);
  }

  [[nodiscard]] BankProducts rounded(std::size_t r) const {
    const auto terms = static_cast<double>(support_.size() + sources_.size());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    BankProducts result;
    for (Index i = 0; i < n_; ++i) {
      const twofold::Sums& own = products_[r];
      const auto [z, error] =
          twofold::rounded({own.high[at(i)], own.low[at(i)], own.size[at(i)]}, terms);
      result.z.push_back(z);
      result.z_error.push_back(error);
    }
    for (const Numbers& form : forms_) {
      const auto [q, error] = twofold::rounded(form[r], 2.0 * terms);
      // Outwards, whichever way the ends are rounded.
      const double lower = std::max(std::nextafter(q - error, -infinity), 0.0);
      const double upper = std::max(std::nextafter(q + error, infinity), 0.0);
      result.q.push_back(error == 0.0 ? q : lower);
      result.q_error.push_back(error == 0.0 ? 0.0 : std::nextafter(upper - lower, infinity));
    }
    return result;
  }

  const std::vector<KernelSourcePtr>& sources_;
  std::span<const ProductRequest> requests_;
  const Context& context_;
  Index n_;
  std::vector<Index> all_;
  std::vector<Index> support_;       ///< samples at which some a is not zero
  std::vector<Index> with_product_;  ///< kernels that some d weighs
  std::vector<Index> others_;
  std::vector<Numbers> forms_;  ///< of each kernel
  Columns products_;            ///< K(d) a
};

}  // namespace

std::vector<BankProducts> entry_products(const std::vector<KernelSourcePtr>& sources,
                                         std::span<const ProductRequest> requests,
                                         const Context& context) {
  return EntryProducts(sources, requests, context).run();
}

std::size_t entry_products_bytes(Index n, Index kernels, Index requests) {
  // Sums of three numbers of each kernel, and of all; two more of what is returned.
  const Index sums = 3 * std::min(products_together(n, requests), kernels) + 3 + 2;
  return to_size(sums * requests * n + 2 * n) * sizeof(double);
}

}  // namespace kernmix
