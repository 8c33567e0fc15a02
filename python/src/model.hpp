#pragma once
/// \file
/// Models, predictions and verifications.

#include <nanobind/nanobind.h>

namespace kernmix::python {

void bind_model(nanobind::module_& module);

}  // namespace kernmix::python
