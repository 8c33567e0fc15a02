#pragma once
/// \file
/// The functions of a model with landmarks in its file: the header's `landmarks` and one block.

#include "kernmix/model.hpp"
#include "model/file/container.hpp"

namespace kernmix {

/// Earlier versions have no landmarks.
inline constexpr std::uint32_t landmark_version = 9;

/// Adds the section if the model has landmarks.
void put_landmarks(const Model& model, Container& container);

/// Call once the kernels and the support are read. \throws DataError for an incomplete section
void read_landmarks(const Container& container, Model& model);

}  // namespace kernmix
