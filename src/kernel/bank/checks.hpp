#pragma once
/// \file
/// What a kernel must be before it is stored. Every check throws DataError with the kernel's name.

#include <string>

#include "kernmix/context.hpp"
#include "kernmix/kernel/bank.hpp"
#include "kernmix/kernel/source.hpp"

namespace kernmix {

/// Throws ResourceError once the caller's time limit has passed or the caller has cancelled:
/// without its kernels no problem has a best answer so far.
void stop_if_asked(const Context& context);

/// Throws the DataError of an entry that is not finite.
[[noreturn]] void refuse_entry(const std::string& name, Index row, Index col, double value);

/// Every entry finite, |K_ij - K_ji| <= 1e-8 max |K|. Reads the whole matrix.
void check_symmetric(const KernelSource& source, const std::string& name, const Context& context);

/// Smallest eigenvalue >= -1e-8 times the largest on at most 1500 evenly spaced samples; matrices
/// whose entries are all single precision numbers may be as indefinite as that rounding makes them.
void check_definite(const KernelSource& source, const std::string& name);

/// The same of kernel m of a bank with more samples than that, on all of them, at the price of 64
/// products: refuses what has a v with v'K v < -1e-6 times the largest eigenvalue. An eigenvalue
/// below -0.01 times that is overlooked with a probability of 1e-3 for n = 10^4 (lanczos.hpp).
/// \param on_differences  only v of sum 0 count
void check_definite(const KernelBank& bank, Index m, bool on_differences, const std::string& name,
                    const Context& context);

}  // namespace kernmix
