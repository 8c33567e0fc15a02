#pragma once
/// \file
/// The calibration of a model in its file: the header's `calibration` and two blocks.

#include "kernmix/model.hpp"
#include "model/file/container.hpp"

namespace kernmix {

/// Earlier versions have no calibration.
inline constexpr std::uint32_t calibration_version = 5;

/// Adds the section if the model is calibrated.
void put_calibration(const Calibration& calibration, Container& container);

/// Empty without a section. \throws DataError for an incomplete section
[[nodiscard]] Calibration read_calibration(const Container& container);

}  // namespace kernmix
