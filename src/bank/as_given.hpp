#pragma once
/// \file
/// Refusals of kernels in the numbers that users know.

#include <string>

#include "kernel/given_source.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

/// check(), and where it refuses a normalised kernel the same of the kernel as it was given, whose
/// refusal has the numbers of the user's matrix.
/// \param check_given  of another KernelSource
template <typename Check, typename CheckGiven>
void check_as_given(const KernelSource& source, const Check& check, const CheckGiven& check_given) {
  try {
    check();
  } catch (const DataError& failure) {
    const KernelSource* const given = given_source(source);
    if (given == nullptr) throw;
    check_given(*given);
    throw DataError(std::string(failure.what()) + " (numbers of the normalised kernel)");
  }
}

}  // namespace kernmix
