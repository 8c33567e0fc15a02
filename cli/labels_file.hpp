#pragma once
/// \file
/// The columns of the labels' file beside given matrices: they are no features unless a view or a
/// kernel names them.

#include <string>
#include <vector>

#include "train_options.hpp"

namespace kernmix::cli {

/// The files whose columns are labels or targets, and their other columns.
struct LabelsFiles {
  std::vector<std::string> parts;    ///< names of the files, as of FilePart
  std::vector<std::string> columns;  ///< that no other file has, in order
};

/// Nothing unless matrices are given and neither --view, --sets nor a kernel names the columns.
/// \param used  columns with another role, such as sample weights
/// \param kernels  expressions
[[nodiscard]] LabelsFiles files_of_labels_only(const TrainArguments& a, const ReadOptions& reading,
                                               const std::vector<std::string>& kernels,
                                               const std::vector<std::string>& used);

/// Removes the views of these files.
void leave_out_views(const LabelsFiles& files, const Table& table, std::vector<View>& views);

/// "pheno.csv: the columns severity and site are no features, because ..."; empty without columns.
[[nodiscard]] std::string no_features_text(const LabelsFiles& files);

}  // namespace kernmix::cli
