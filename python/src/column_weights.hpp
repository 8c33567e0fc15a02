#pragma once
/// \file
/// Generalised MKL: the weights of columns in a product of Gaussian kernels.

#include <nanobind/nanobind.h>

namespace kernmix::python {

void bind_column_weights(nanobind::module_& module);

}  // namespace kernmix::python
