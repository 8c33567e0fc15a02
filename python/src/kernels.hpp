#pragma once
/// \file
/// Kernels by themselves: what expressions stand for, and their entries.

#include <nanobind/nanobind.h>

namespace kernmix::python {

void bind_kernels(nanobind::module_& module);

}  // namespace kernmix::python
