#pragma once
/// \file
/// The style sheet of a report: screen, dark screen, telephone and print, no fonts to load. Figures
/// need it for a dark screen alone (chart/svg.hpp).

#include <string_view>

namespace kernmix::report {

inline constexpr std::string_view style_sheet = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6570; --line: #d8dde3; --wash: #f5f7f9;
  --paper: #fff; --warn: #fdf3ec; --good: #009E73; --open: #D55E00; --link: #0a58a8; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.5rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; }
header p { color: var(--soft); margin: 0.3rem 0 0; overflow-wrap: anywhere; }
section { margin-top: 2.2rem; padding-top: 1.2rem; border-top: 2px solid var(--ink); }
h2 { font-size: 1.25rem; margin: 0 0 0.8rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.4rem 0 0.3rem; }
p, li, figcaption { overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: 0.94rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child, .plain td { text-align: left; }
tbody th { font-weight: 500; overflow-wrap: break-word; }
thead th { color: var(--soft); font-size: 0.85rem; font-weight: 600; border-bottom: 1px solid var(--ink); }
td { overflow-wrap: anywhere; }
.numbers td { white-space: nowrap; }
.plain th { width: 12rem; font-weight: 500; color: var(--soft); }
.interval { display: block; font-size: 0.78rem; color: var(--soft); white-space: nowrap; }
.note { color: var(--soft); font-size: 0.88rem; margin: 0.5rem 0 0; }
.empty { color: var(--soft); font-style: italic; }
.scroll { overflow-x: auto; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--wash); padding: 0.7rem 1rem; font-size: 0.8rem; margin: 0; }
code { font-size: 0.85em; overflow-wrap: anywhere; }
.certificate { background: var(--wash); border-left: 4px solid var(--open); padding: 0.7rem 1rem; margin: 0 0 1.2rem; }
.certificate.good { border-color: var(--good); }
.certificate p { margin: 0; }
.certificate p + p { margin-top: 0.4rem; }
.warnings { background: var(--warn); border: 1px solid var(--open); border-left-width: 4px; padding: 0.7rem 1rem; margin: 1.4rem 0 0; }
.warnings p { margin: 0; }
.warnings ul { margin: 0.4rem 0 0; padding-left: 1.2rem; }
.warnings li { margin: 0.3rem 0; overflow-wrap: anywhere; }
.warnings code { color: var(--soft); font-size: 0.8rem; }
figure { margin: 1.8rem 0; break-inside: avoid; }
.charts { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 1rem 2rem; overflow-x: auto; }
.charts svg { flex: none; height: auto; }
.charts svg[width="440"] { max-width: 100%; }
figcaption { color: var(--soft); font-size: 0.88rem; margin-top: 0.6rem; max-width: 56rem; }
figcaption strong { color: var(--ink); }
.downloads { white-space: nowrap; }
a { color: var(--link); }
details { margin-top: 1.2rem; }
summary { cursor: pointer; font-weight: 600; margin-bottom: 0.4rem; }
@media (max-width: 600px) {
  body { padding: 1.2rem 1rem 2rem; }
  .cards, .cards tbody, .cards tr, .cards th, .cards td { display: block; width: auto; text-align: left; }
  .cards thead { display: none; }
  .cards tr { border-bottom: 1px solid var(--soft); padding: 0.5rem 0; }
  .cards th, .cards td { border: 0; padding: 0.1rem 0; }
  .cards tbody th { font-weight: 600; }
  .cards td { display: flex; justify-content: flex-end; align-items: baseline; gap: 0.5rem; text-align: right; }
  .cards td::before { content: attr(data-label); color: var(--soft); flex: none; margin-right: auto; }
  .cards .interval { display: inline; }
  .numbers td { white-space: normal; flex-wrap: wrap; }
  .plain th { width: 8rem; }
}
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8ebee; --soft: #a3adb8; --line: #3a424b; --wash: #20262d; --paper: #15191e; --warn: #33241a;
    --good: #2cc296; --open: #ff8a3d; --link: #7db8f2; }
  svg .paper { fill: none; }
  svg .label, svg .name, svg .strong, svg .on-light, svg [fill="#1B1F24"] { fill: #e8ebee; }
  svg .tick { fill: #a3adb8; }
  svg .grid { stroke: #333b44; }
  svg .axis, svg [stroke="#1B1F24"] { stroke: #e8ebee; }
  svg .whisker { stroke: #7f8a96; }
  svg .reference, svg [stroke="#5B6570"] { stroke: #a3adb8; }
  svg [stroke="#000000"] { stroke: #fff; }
  svg [fill="#000000"] { fill: #fff; }
  svg [stroke="#0072B2"] { stroke: #3ba3e0; }
  svg [fill="#0072B2"] { fill: #3ba3e0; }
  svg [fill="#005292"] { fill: #4aa3e8; }
  svg .on-dark { fill: #000; }
  svg [stroke="#332288"] { stroke: #9a8cf0; }
  svg [fill="#332288"] { fill: #9a8cf0; }
  svg [stroke="#882255"] { stroke: #e06aa8; }
  svg [fill="#882255"] { fill: #e06aa8; }
  svg [stroke="#117733"] { stroke: #35b566; }
  svg [fill="#117733"] { fill: #35b566; }
  svg [fill="#B2182B"] { fill: #f0596b; }
}
@media print {
  @page { margin: 14mm; }
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  section { margin-top: 1.2rem; padding-top: 0.8rem; }
  h2, h3 { break-after: avoid; }
  tr, .certificate, .warnings li { break-inside: avoid; }
  p, li { orphans: 3; widows: 3; }
  figure { margin: 0.8rem 0; }
  .charts { display: grid; grid-template-columns: 1fr 1fr; gap: 0.5rem 1rem; overflow: visible; }
  .charts svg { max-width: 100%; max-height: 210mm; }
  .charts svg:not([width="440"]) { grid-column: 1 / 3; }
  .downloads, details.screen { display: none; }
  .scroll { overflow: visible; }
  table { font-size: 8.5pt; }
  th, td { padding: 0.2rem 0.35rem; }
  td { overflow-wrap: break-word; }
  .numbers td { white-space: normal; }
  .interval { font-size: 7pt; }
  table.plain, pre { font-size: 7.5pt; }
  .plain tbody { display: block; columns: 2; }
  .plain th, .plain td { padding: 0 0.4rem; }
  details::details-content { content-visibility: visible; display: block; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
)";

}  // namespace kernmix::report
