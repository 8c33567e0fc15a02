#pragma once
/// \file
/// Labels of figures: names that are cut to the room that there is, and that stay different.

#include <string>
#include <vector>

namespace kernmix::report {

/// A label for each name, of at most `limit` characters (UTF-8 code points). A long name loses its
/// end; names that would then look alike keep their beginning and the part in which they differ.
/// Equal labels that remain, as of equal names, are numbered from the second on, beyond the limit.
[[nodiscard]] std::vector<std::string> distinct_labels(const std::vector<std::string>& names,
                                                       int limit);

}  // namespace kernmix::report
