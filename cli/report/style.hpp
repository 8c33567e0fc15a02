#pragma once
/// \file
/// The style sheet of a report: screen and print, no fonts to load.

#include <string_view>

namespace kernmix::report {

inline constexpr std::string_view style_sheet = R"(
:root { --ink: #1b1f24; --soft: #5b6570; --line: #d8dde3; --wash: #f5f7f9; --good: #009E73; --open: #D55E00; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.5rem 4rem; color: var(--ink); background: #fff;
  font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; }
header p { color: var(--soft); margin: 0.3rem 0 0; overflow-wrap: anywhere; }
section { margin-top: 2.2rem; padding-top: 1.2rem; border-top: 2px solid var(--ink); }
h2 { font-size: 1.25rem; margin: 0 0 0.8rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.4rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child, .plain td { text-align: left; }
thead th { color: var(--soft); font-size: 0.85rem; font-weight: 600; border-bottom: 1px solid var(--ink); }
tbody td { white-space: nowrap; }
.plain th { width: 12rem; font-weight: 500; color: var(--soft); }
.plain td { overflow-wrap: anywhere; white-space: normal; }
.interval { display: block; font-size: 0.78rem; color: var(--soft); white-space: nowrap; }
.note { color: var(--soft); font-size: 0.88rem; margin: 0.5rem 0 0; }
.empty { color: var(--soft); font-style: italic; }
.scroll { overflow-x: auto; }
.certificate { background: var(--wash); border-left: 4px solid var(--open); padding: 0.7rem 1rem; margin: 0 0 1.2rem; }
.certificate.good { border-color: var(--good); }
.warnings { background: #fdf3ec; border: 1px solid var(--open); border-left-width: 4px; padding: 0.7rem 1rem; margin: 1.4rem 0 0; }
.warnings p { margin: 0; }
.warnings ul { margin: 0.4rem 0 0; padding-left: 1.2rem; }
.warnings li { margin: 0.3rem 0; overflow-wrap: anywhere; }
.warnings code { color: var(--soft); font-size: 0.8rem; white-space: nowrap; }
.certificate p { margin: 0; }
.certificate .note { margin-top: 0.3rem; }
figure { margin: 1.6rem 0; break-inside: avoid; }
figure.pair { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.5rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: 0.88rem; margin-top: 0.4rem; flex-basis: 100%; }
details { margin-top: 1.2rem; }
summary { cursor: pointer; font-weight: 600; margin-bottom: 0.4rem; }
svg text { font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; fill: #1b1f24; }
svg .tick { font-size: 11px; fill: #5b6570; }
svg .label, svg .name { font-size: 12px; }
svg .strong { font-size: 13px; font-weight: 600; }
svg .inside-light { font-size: 11px; fill: #fff; }
svg .inside-dark { font-size: 11px; fill: #000; }
svg .grid { stroke: #e6e9ed; stroke-width: 1; }
svg .axis { stroke: #1b1f24; stroke-width: 1; }
svg .reference { stroke: #7f8790; stroke-width: 1; stroke-dasharray: 4 3; }
svg .series { fill: none; stroke-width: 2; stroke-linejoin: round; }
@media print {
  @page { margin: 14mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  section { margin-top: 1.2rem; padding-top: 0.8rem; }
  h2 { break-after: avoid; }
  tr, .certificate, .warnings li { break-inside: avoid; }
  figure { margin: 0.8rem 0; }
  figure svg { max-height: 150mm; }
  figure.pair { flex-wrap: nowrap; display: grid; grid-template-columns: 1fr 1fr; }
  figure.pair figcaption { grid-column: 1 / 3; }
  table.plain { font-size: 8pt; }
  .plain th, .plain td { padding: 0.05rem 0.4rem; }
  details::details-content { content-visibility: visible; display: block; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
)";

}  // namespace kernmix::report
