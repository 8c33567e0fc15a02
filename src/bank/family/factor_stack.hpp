#pragma once
/// \file
/// Families of kernels as factors, K_m = X T_m X' with T_m = G_m G_m'.

#include <memory>
#include <mutex>
#include <vector>

#include "bank/family/factor_family.hpp"
#include "bank/packed/stack.hpp"
#include "base/linear_algebra.hpp"
#include "kernmix/bank/bank.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Z of a combination of factors, K(d) = Z Z', in single precision.
struct WeightedFactor {
  Index rank;
  std::vector<float> values;  ///< n x rank, row-major

  /// out += (Z Z') at `tile`, row-major tile.rows() x tile.cols(). Serial.
  void add_tile(const Tile& tile, MutableSpan out) const;
};

/// Products access X once for all kernels of a family.
class FactorStack final : public KernelStack {
 public:
  explicit FactorStack(Index samples) : n_(samples) {}

  /// Appends the kernels of a family, in its order.
  /// \param single  X in single precision
  void append(const FactorFamily& family, bool single);
  /// Appends a kernel by the rows of its factor, which are computed block by block.
  void append(const LandmarkSource& kernel, bool single, const Context& context);

  [[nodiscard]] Index kernels() const override { return length(places_); }
  [[nodiscard]] std::size_t bytes() const override;
  void quadratic_forms(std::span<const Index> chosen, const DualVector& a, MutableSpan q,
                       const Context& context) const override;
  [[nodiscard]] Matrix products(std::span<const Index> chosen, const DualVector& a,
                                const Context& context) const override;
  void add_product(std::span<const Term> terms, const DualVector& a, MutableSpan z,
                   const Context& context) const override;
  [[nodiscard]] Matrix panel_forms(std::span<const Index> chosen, const Panel& A,
                                   const Context& context) const override;
  void add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                         const Context& context) const override;
  void add_block(std::span<const Term> terms, std::span<const Index> rows,
                 std::span<const Index> cols, MutableSpan out) const override;

  /// The same kernels on these samples.
  [[nodiscard]] FactorStack on_samples(std::span<const Index> samples,
                                       const Context& context) const;

  /// L' of K = L L', columns x n row-major.
  [[nodiscard]] std::vector<float> transposed_factor(Index kernel) const;

  /// Z[rows, :], row-major, with Z Z' = sum_t weight_t K_t and columns(terms) columns at most:
  /// those of the families side by side. Weights must be >= 0.
  [[nodiscard]] Matrix combined(std::span<const Term> terms, std::span<const Index> rows,
                                const Context& context) const;
  /// The same for all rows.
  [[nodiscard]] WeightedFactor combined(std::span<const Term> terms, const Context& context) const;
  /// The same without columns that are negligible in the sum: worthwhile if Z is used for more than
  /// one product.
  [[nodiscard]] Matrix shortest(std::span<const Term> terms, const Context& context) const;
  /// The eigenvalues of the weighted sum within each family, families in ascending order: of all
  /// shared bases, shortest() has a column for each that is worth_a_column().
  [[nodiscard]] std::vector<Vector> spectra(std::span<const Term> terms) const;
  /// \param trace  the sum of the eigenvalues of all families
  [[nodiscard]] static bool worth_a_column(double eigenvalue, double trace);
  [[nodiscard]] Index columns(std::span<const Term> terms) const;
  /// Z of combined() where it is stored: the families without cores; empty if one has cores.
  [[nodiscard]] std::vector<StoredColumns> stored_columns(std::span<const Term> terms) const;
  /// Whether all families have shared bases; otherwise several may span the same columns.
  [[nodiscard]] bool share_bases(std::span<const Term> terms) const;

 private:
  struct Family {
    Index rank;
    Vector X;                ///< n x rank, row-major, or
    std::vector<float> X32;  ///< the same in single precision; the other is empty
    RowMatrix G;             ///< rank x (columns of all cores); empty if T = I
    struct Gram {
      std::once_flag once;
      RowMatrix matrix;
    };
    std::unique_ptr<Gram> gram;  ///< see gram(Family)

    /// v += sum_k alpha[k] X[rows[k], :]
    void add_rows(const Index* rows, const double* alpha, Index count, Vector& v) const;
    /// X[i, :] v
    [[nodiscard]] double row_times(Index i, const Vector& v) const;
    void copy_row(Index i, double* out) const;
    [[nodiscard]] Family on_samples(std::span<const Index> samples) const;
  };
  /// Columns [first, first + columns) of G of a family.
  struct Place {
    std::size_t family;
    Index first, columns;
  };
  /// sum_t weight_t T_t of one family = H H'.
  struct Core {
    std::size_t family;
    RowMatrix H;
  };

  [[nodiscard]] const Place& place(Index kernel) const {
    return places_[static_cast<std::size_t>(kernel)];
  }
  /// The families of `kernels`, ascending.
  [[nodiscard]] std::vector<std::size_t> families_of(std::span<const Index> kernels) const;
  /// v[f] = X' a for the chosen families.
  [[nodiscard]] std::vector<Vector> project(const std::vector<std::size_t>& chosen,
                                            const DualVector& a, const Context& context) const;
  /// A X of one family, T x rank.
  [[nodiscard]] RowMatrix project_panel(const Family& family, const Panel& A,
                                        const Context& context) const;
  /// X[begin, end) in double precision.
  [[nodiscard]] RowMatrix rows_of(const Family& family, Index begin, Index end) const;
  /// X[rows, :] in double precision.
  [[nodiscard]] static RowMatrix rows_of(const Family& family, std::span<const Index> rows);
  /// T_kernel v
  [[nodiscard]] Vector core_product(const Place& kernel, const Vector& v) const;
  [[nodiscard]] std::vector<Core> cores(std::span<const Term> terms) const;
  /// X'X, of a sample of the rows if there are many, computed on first use.
  [[nodiscard]] const RowMatrix& gram(const Family& family) const;
  /// Removes directions of cores that are negligible in the sum.
  void drop_negligible(std::vector<Core>& cores) const;
  [[nodiscard]] static Index columns_of(const std::vector<Core>& parts);
  /// out (|rows| x columns_of(parts)) = X[rows, :] H of all cores side by side.
  template <typename T>
  void side_by_side(const std::vector<Core>& parts, std::span<const Index> rows, T* out,
                    const Context& context) const;
  /// out (|rows| x H.cols(), any stride) = X[rows, :] H
  void expand(const Core& core, std::span<const Index> rows,
              Eigen::Ref<RowMatrix, 0, Eigen::OuterStride<>> out) const;
  void expand(const Core& core, std::span<const Index> rows,
              Eigen::Ref<RowMatrixF, 0, Eigen::OuterStride<>> out) const;

  Index n_;
  std::vector<Family> families_;
  std::vector<Place> places_;
};

}  // namespace kernmix
