#pragma once
/// \file
/// Declarations of LAPACK routines (Anderson et al., LAPACK Users' Guide, SIAM, 1999) for the .cpp
/// files that wrap them. Matrices are column-major; the last arguments are the lengths of strings,
/// as in Fortran.

#include <algorithm>
#include <cstddef>

#include "kernmix/types.hpp"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info, std::size_t);
void dpotrs_(const char* uplo, const int* n, const int* columns, const double* A, const int* lda,
             double* B, const int* ldb, int* info, std::size_t);
void dtrtrs_(const char* uplo, const char* transposed, const char* diagonal, const int* n,
             const int* columns, const double* A, const int* lda, double* B, const int* ldb,
             int* info, std::size_t, std::size_t, std::size_t);
void spotrf_(const char* uplo, const int* n, float* A, const int* lda, int* info, std::size_t);
void spotrs_(const char* uplo, const int* n, const int* columns, const float* A, const int* lda,
             float* B, const int* ldb, int* info, std::size_t);
void strtrs_(const char* uplo, const char* transposed, const char* diagonal, const int* n,
             const int* columns, const float* A, const int* lda, float* B, const int* ldb,
             int* info, std::size_t, std::size_t, std::size_t);
void dsyevd_(const char* job, const char* uplo, const int* n, double* A, const int* lda,
             double* values, double* work, const int* work_size, int* integers,
             const int* integers_size, int* info, std::size_t, std::size_t);
void dsysv_(const char* uplo, const int* n, const int* columns, double* A, const int* lda,
            int* pivots, double* B, const int* ldb, double* work, const int* work_size, int* info,
            std::size_t);
void dgeqrf_(const int* rows, const int* columns, double* A, const int* lda, double* tau,
             double* work, const int* work_size, int* info);
void dormqr_(const char* side, const char* transposed, const int* rows, const int* columns,
             const int* reflections, double* A, const int* lda, const double* tau, double* B,
             const int* ldb, double* work, const int* work_size, int* info, std::size_t,
             std::size_t);
void dlatrd_(const char* uplo, const int* n, const int* columns, double* A, const int* lda,
             double* below, double* tau, double* W, const int* ldw, std::size_t);
void dsytd2_(const char* uplo, const int* n, double* A, const int* lda, double* diagonal,
             double* below, double* tau, int* info, std::size_t);
void dsterf_(const int* n, double* diagonal, double* below, int* info);
void dstemr_(const char* job, const char* range, const int* n, double* diagonal, double* below,
             const double* from, const double* to, const int* first, const int* last, int* found,
             double* values, double* vectors, const int* ldz, const int* columns, int* support,
             int* relative, double* work, const int* work_size, int* integers,
             const int* integers_size, int* info, std::size_t, std::size_t);
void dormtr_(const char* side, const char* uplo, const char* transposed, const int* rows,
             const int* columns, const double* A, const int* lda, const double* tau, double* B,
             const int* ldb, double* work, const int* work_size, int* info, std::size_t,
             std::size_t, std::size_t);
// A BLAS routine. Eigen 3.4 has the same declaration, Eigen 5 none.
int dtrsv_(const char* uplo, const char* transposed, const char* diagonal, const int* n,
           const double* A, const int* lda, double* b, const int* step);
int strsv_(const char* uplo, const char* transposed, const char* diagonal, const int* n,
           const float* A, const int* lda, float* b, const int* step);
}

namespace kernmix::lapack {

[[nodiscard]] inline int size(Index n) { return static_cast<int>(n); }

/// Distance between columns, at least 1 even for empty matrices.
[[nodiscard]] inline int stride(Index n) { return static_cast<int>(std::max<Index>(n, 1)); }

/// With a work_size of -1 routines return the optimal size as a double.
constexpr int ask = -1;

}  // namespace kernmix::lapack
