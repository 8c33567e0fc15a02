#pragma once
/// \file
/// Numbers and text for people, inside HTML and SVG.

#include <optional>
#include <string>
#include <string_view>

namespace kernmix::report {

/// Replaces & < > " ' and control characters: safe as element text and as attribute value.
[[nodiscard]] std::string escape(std::string_view text);

/// Four significant digits, "1.2e-07" for the very small; "n/a" for absent and not finite.
[[nodiscard]] std::string number(std::optional<double> value);
[[nodiscard]] std::string precise(std::optional<double> value);     ///< eight significant digits
[[nodiscard]] std::string decimals(std::optional<double> value);    ///< four of them: "0.9950"
[[nodiscard]] std::string percent(std::optional<double> fraction);  ///< "97.9 %"
[[nodiscard]] std::string seconds(std::optional<double> value);  ///< "0.38 s", "12 s", "4 min 10 s"
[[nodiscard]] std::string bytes(std::optional<double> value);    ///< "31.4 MiB"

/// At most `limit` characters (UTF-8 code points), the end replaced by an ellipsis.
[[nodiscard]] std::string shorten(std::string_view text, int limit);

}  // namespace kernmix::report
