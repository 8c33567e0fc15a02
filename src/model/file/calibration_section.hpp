#pragma once
/// \file
/// The calibration of a model in its file: the header's `calibration` and two blocks.

#include "kernmix/model.hpp"
#include "model/file/container.hpp"

namespace kernmix {

/// Files before it have no calibration.
inline constexpr std::uint32_t calibration_version = 5;

/// Adds the section where the model is calibrated.
void put_calibration(const Calibration& calibration, Container& container);

/// Empty where there is none. \throws DataError for a section that is not complete
[[nodiscard]] Calibration read_calibration(const Container& container);

}  // namespace kernmix
