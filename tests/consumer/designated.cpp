// Public options are initialised by the names of some of their members, as the manual shows,
// without a warning of -Wextra: the test compiles this file with warnings as errors.
#include <kernmix/kernmix.hpp>
#include <kernmix/selection/comparison.hpp>
#include <kernmix/selection/search.hpp>
#include <kernmix/selection/significance.hpp>
#include <kernmix/selection/stability.hpp>
#include <kernmix/study.hpp>

struct Given {
  kernmix::ReadOptions reading{.label_column = "y"};
  kernmix::TrainOptions training{.kernels = {"linear"}};
  kernmix::Context context{.threads = 2};
  kernmix::View view{.name = "v"};
  kernmix::Dataset data{.table = {}};
  kernmix::LandmarkRule landmarks{.count = 3};
  kernmix::FoldOptions folds{.folds = 3};
  kernmix::FoldRule rule{.given_by = "x"};
  kernmix::SolverOptions solver{.tolerance = 1e-3};
  kernmix::SignificanceOptions significance{.permutations = 3};
  kernmix::StabilityOptions stability{.resamples = 3};
  kernmix::TuneOptions search{.score = "auc"};
  kernmix::AutoOptions choice{.score = "auc"};
  kernmix::ComparisonRules comparison{.inner_folds = 3};
};
Given given;
