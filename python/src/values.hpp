#pragma once
/// \file
/// Small values of the library as dictionaries.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "kernmix/certificate.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix::python {

namespace nb = nanobind;

using Record = nb::typed<nb::dict, nb::str, nb::any>;
using Records = nb::typed<nb::list, Record>;

/// primal, dual, gap, relative_gap, inner_gap, outer_gap, least_size, slack.
[[nodiscard]] Record record_of(const Bounds& bounds);
/// name, view, group, function, parameters, columns, from_matrix, normalization.
[[nodiscard]] Record record_of(const KernelDescription& kernel);

}  // namespace kernmix::python
