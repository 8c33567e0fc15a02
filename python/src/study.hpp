#pragma once
/// \file
/// Whole studies: automatic selection, comparison of methods, nested search.

#include <nanobind/nanobind.h>

namespace kernmix::python {

void bind_study(nanobind::module_& module);

}  // namespace kernmix::python
