#pragma once
/// \file
/// Random numbers for choosing among models.

#include "folds/legacy_random.hpp"
