#pragma once
/// \file
/// LIBSVM text: `label index:value ...`, indices from 1, ascending; missing entries are zero.

#include "data/file.hpp"

namespace kernmix {

/// Columns are "1".."D", D the largest index. A label on every line, or on none; `#` starts a
/// comment. \throws DataError naming line and entry
[[nodiscard]] FileTable read_libsvm(const InputFile& file, const ReadOptions& options);

}  // namespace kernmix
