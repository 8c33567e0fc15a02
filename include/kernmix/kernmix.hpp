#pragma once
/// \file
/// Everything that a program needs to read data, train, select, save, load, predict and verify:
///
///     kernmix::ReadOptions reading;
///     reading.label_column = "y";
///     kernmix::Dataset data;
///     data.table = kernmix::read_table({"train.csv"}, reading);
///     data.views = kernmix::resolve_views({}, data.table);
///     const auto result = kernmix::train(data, {}, {});
///     kernmix::save_model(result.model, "model.kmx");

#include "kernmix/data.hpp"
#include "kernmix/error.hpp"
#include "kernmix/matrix_files.hpp"
#include "kernmix/metrics.hpp"
#include "kernmix/paired_tests.hpp"
#include "kernmix/sets.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/sparse_matrix.hpp"
#include "kernmix/study.hpp"
#include "kernmix/train.hpp"
#include "kernmix/training.hpp"
#include "kernmix/version.hpp"
