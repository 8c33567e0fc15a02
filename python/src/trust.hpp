#pragma once
/// \file
/// How surely kernels matter, what views add to a score, and what a model looks at.

#include <nanobind/nanobind.h>

namespace kernmix::python {

void bind_trust(nanobind::module_& module);

}  // namespace kernmix::python
