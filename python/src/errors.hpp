#pragma once
/// \file
/// The library's errors as exceptions of Python.

#include <nanobind/nanobind.h>

namespace kernmix::python {

/// kernmix.ParameterError and DataError (ValueError), ResourceError (MemoryError).
void bind_errors(nanobind::module_& module);

}  // namespace kernmix::python
