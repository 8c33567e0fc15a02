#pragma once
/// \file
/// Small values of the library as dictionaries.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "kernmix/certificate.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/train.hpp"

namespace kernmix::python {

namespace nb = nanobind;

using Record = nb::typed<nb::dict, nb::str, nb::any>;
using Records = nb::typed<nb::list, Record>;

/// primal, dual, gap, relative_gap, inner_gap, outer_gap, least_size, slack.
[[nodiscard]] Record record_of(const Bounds& bounds);
/// The rule of each view by name: the one that was taken, or the one that was asked for.
[[nodiscard]] Record scaling_rules(const std::vector<ScaledView>& views,
                                   ScalingRule ScaledView::*which = &ScaledView::rule);
/// code, message and kernels of each.
using WarningList = std::vector<std::tuple<std::string, std::string, std::vector<Index>>>;
[[nodiscard]] WarningList warnings_of(const std::vector<Warning>& warnings);
/// name, view, group, function, parameters, columns, from_matrix, normalization.
[[nodiscard]] Record record_of(const KernelDescription& kernel);

}  // namespace kernmix::python
