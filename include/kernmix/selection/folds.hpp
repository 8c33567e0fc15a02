#pragma once
/// \file
/// Folds for choosing among models.

#include "kernmix/folds.hpp"
