#pragma once
/// \file
/// Errors about kernels in terms of the given values.

#include <string>

#include "kernel/given_source.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

/// Calls check(); if it rejects a normalised kernel, the check is repeated on the given kernel, so
/// that the message has the values of the user's matrix.
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
