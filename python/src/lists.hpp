#pragma once
/// \file
/// What there is to choose from.

#include <nanobind/nanobind.h>

namespace kernmix::python {

void bind_lists(nanobind::module_& module);

}  // namespace kernmix::python
