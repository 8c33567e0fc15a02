#pragma once
/// \file
/// Training.

#include <nanobind/nanobind.h>

namespace kernmix::python {

void bind_train(nanobind::module_& module);

}  // namespace kernmix::python
