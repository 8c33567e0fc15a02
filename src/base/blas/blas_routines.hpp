#pragma once
/// \file
/// The choice of OpenBLAS's routines. It needs no call: it is made when the library is loaded and
/// checked again at its first use of BLAS.

namespace kernmix {

/// OpenBLAS uses its oldest routines for a processor that it does not know, as version 0.3.21 does
/// for an Intel Xeon of 2023. This function lets it choose again by the available instructions,
/// unless OPENBLAS_CORETYPE is set. It does not affect other BLAS libraries. No other thread may
/// use BLAS meanwhile.
void use_blas_routines_of_processor() noexcept;

}  // namespace kernmix
