// The style sheet of the HTML report: light and dark, no font and no file from elsewhere.
#include "report/report_html.hpp"

namespace polymax::report {

const std::string_view kStyle = R"css(
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b2330;--soft:#5b6676;--faint:#8b95a3;--line:#dfe3e9;
--accent:#2459c9;--outer:#7f9be0;--up:#3f8f5b;--down:#c9713f;--parity:#b4471f;--first:#c62828;--second:#d9730d;--third:#c2558f;
--s0:#2459c9;--s1:#d9730d;--s2:#2e8b57;--s3:#a33ea1;--s4:#c62828;--s5:#0f8a9d;--s6:#8a6d1f;--s7:#5f6b7a}
@media(prefers-color-scheme:dark){:root{--page:#12161c;--card:#1a2028;--ink:#e6eaf0;--soft:#a3aebc;--faint:#7b8796;--line:#2d3642;
--accent:#7ea6ff;--outer:#4f6cae;--up:#4fa873;--down:#d07a48;--parity:#f0905f;--first:#ff7b72;--second:#f0a04b;--third:#f08cc0;
--s0:#7ea6ff;--s1:#f0a04b;--s2:#5fc48d;--s3:#d58be0;--s4:#ff7b72;--s5:#4cc6d6;--s6:#cdb04f;--s7:#9aa7b8}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header .in,nav .in{max-width:1280px;margin:0 auto;padding:0 24px}
header{padding:36px 0 20px}h1{font-size:30px;line-height:1.2;margin:0 0 6px;letter-spacing:-.01em}
h2{font-size:20px;margin:0 0 4px}h3{font-size:15px;margin:22px 0 6px}
.sub{color:var(--soft);margin:0}code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.tiles{display:flex;flex-wrap:wrap;gap:12px;margin-top:20px}
.tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 16px;min-width:120px}
.tile b{display:block;font-size:20px;font-weight:650;font-variant-numeric:tabular-nums}.tile span{color:var(--soft);font-size:13px}
.tile.bad b{color:var(--first)}
nav{position:sticky;top:0;background:var(--page);border-bottom:1px solid var(--line);z-index:2;overflow-x:auto}
nav .in{display:flex;gap:20px;padding-top:9px;padding-bottom:9px;white-space:nowrap}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}nav a{font-size:14px}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:22px 24px;margin:20px 0;scroll-margin-top:52px}
p{margin:6px 0 12px;max-width:78ch}.note{color:var(--soft);font-size:14px}
.wide{overflow-x:auto;margin:12px 0;background:linear-gradient(90deg,var(--card) 40%,transparent) 0 0/44px 100% no-repeat local,linear-gradient(270deg,var(--card) 40%,transparent) 100% 0/44px 100% no-repeat local,linear-gradient(90deg,var(--line),transparent) 0 0/16px 100% no-repeat scroll,linear-gradient(270deg,var(--line),transparent) 100% 0/16px 100% no-repeat scroll}
.banner{border:1px solid var(--accent);border-radius:10px;padding:8px 14px;margin:14px 0 4px;font-size:14px}.banner ul{margin:4px 0 0;padding-left:20px}
.moves{columns:18em;font-size:13px;font-variant-numeric:tabular-nums}.boards{display:flex;flex-wrap:wrap;gap:18px}.boards figure{margin:0}.boards figcaption{color:var(--soft);font-size:13px}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:5px 9px;text-align:right;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--soft);font-size:13px;vertical-align:bottom;white-space:normal;line-height:1.3}th:first-child,td:first-child,.left{text-align:left}
tbody th{vertical-align:middle;white-space:nowrap;color:var(--ink);font-size:14px;font-weight:500;position:sticky;left:0;background:var(--card)}
td.text{white-space:normal;text-align:left;min-width:260px}
tbody tr:hover td,tbody tr:hover th{box-shadow:inset 0 0 0 99px color-mix(in srgb,var(--accent) 6%,transparent)}
.heat{border-collapse:separate;border-spacing:3px}.heat td{border:0;border-radius:6px;text-align:center;padding:6px 7px;min-width:74px}
.heat th{border:0;text-align:center;padding:5px 6px}.heat th:first-child{text-align:left}
.heat thead tr:nth-child(2) th:first-child{text-align:center}table:not(.heat) thead tr:nth-child(2) th:first-child{text-align:right}
.seats td{min-width:48px;padding:5px 4px}.heat small{color:var(--soft);font-size:12px}
.up{background:color-mix(in srgb,var(--up) calc(var(--a)*1%),var(--card))}
.down{background:color-mix(in srgb,var(--down) calc(var(--a)*1%),var(--card))}
.none{color:var(--faint)}tr.parity td,tr.parity th{color:var(--parity);border:0;font-size:13px}
.best{display:inline-block;width:9px;height:9px;border-radius:50%;margin-right:5px}
.b1{background:var(--first)}.b2{background:var(--second)}.b3{background:var(--third)}
.key{display:flex;flex-wrap:wrap;gap:6px 18px;color:var(--soft);font-size:13px;align-items:center;margin:8px 0}
.key i{display:inline-block;vertical-align:middle;margin-right:6px}.key .bar{width:26px;height:5px;background:var(--accent);border-radius:3px}
.key .thin{width:26px;height:0;border-top:2px solid var(--outer)}.key .dash{width:0;height:14px;border-left:2px dashed var(--parity)}
.key .dia{width:9px;height:9px;border:2px solid var(--parity);transform:rotate(45deg)}
.key .ramp{width:150px;height:12px;border-radius:6px;background:linear-gradient(90deg,var(--down),var(--card),var(--up));border:1px solid var(--line)}
.key .dot{width:10px;height:10px;border-radius:50%}
.grid2{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(480px,100%),1fr));gap:8px 28px}
.plot{width:100%;height:auto;display:block;max-width:1180px}.plot{min-width:620px}.grid2 .plot{min-width:440px}.grid2>div{min-width:0}.plot.scatter{max-width:460px;min-width:340px}
.plot text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}
.plot .tick{text-anchor:middle;fill:var(--soft);font-size:12px}.plot .axis{text-anchor:middle;fill:var(--soft)}
.plot .label{text-anchor:end}.plot .value{text-anchor:end;fill:var(--soft)}.plot .level-label{text-anchor:middle;fill:var(--parity);font-size:12px}
.plot path{fill:none}.plot .grid{stroke:var(--line)}.plot .level{stroke:var(--parity);stroke-width:1.5;stroke-dasharray:4 4}
.plot .outer{stroke:var(--outer);stroke-width:2}.plot .inner{stroke:var(--accent);stroke-width:6;stroke-linecap:round;opacity:.55}
.plot .dot{fill:var(--accent);stroke:var(--card);stroke-width:1.5}.plot .mark{stroke:var(--parity);stroke-width:1.8}
.plot .hit{fill:transparent}.plot .row:hover .hit{fill:color-mix(in srgb,var(--accent) 8%,transparent)}
.plot .point{stroke:var(--card);fill-opacity:.85}.plot .point:hover{r:7}
.s0{fill:var(--s0);background:var(--s0)}.s1{fill:var(--s1);background:var(--s1)}.s2{fill:var(--s2);background:var(--s2)}.s3{fill:var(--s3);background:var(--s3)}
.s4{fill:var(--s4);background:var(--s4)}.s5{fill:var(--s5);background:var(--s5)}.s6{fill:var(--s6);background:var(--s6)}.s7{fill:var(--s7);background:var(--s7)}
.plot .line{stroke-width:2;stroke-linejoin:round}.plot .faint{stroke-width:1;opacity:.3}.plot .whisker{stroke-width:1.5;opacity:.7}
.l0{stroke:var(--s0)}.l1{stroke:var(--s1)}.l2{stroke:var(--s2)}.l3{stroke:var(--s3)}.l4{stroke:var(--s4)}.l5{stroke:var(--s5)}.l6{stroke:var(--s6)}.l7{stroke:var(--s7)}
.plot .heading{font-weight:600;fill:var(--ink);font-size:14px}.plot .spot path{stroke:var(--faint);opacity:0}.plot .spot:hover path{opacity:1}
details{border-top:1px solid var(--line);padding:7px 0}summary{cursor:pointer}summary span{color:var(--soft);font-size:13px;margin-left:8px}
.links{display:flex;flex-wrap:wrap;gap:4px 14px;padding:8px 0 4px;font-size:13px;font-variant-numeric:tabular-nums}
.links .w::after,.links .d::after,.links .l::after{margin-left:4px;color:var(--faint);font-size:11px}
.links .w::after{content:"won"}.links .d::after{content:"draw"}.links .l::after{content:"lost"}
footer{color:var(--soft);font-size:13px;padding:0 0 40px}ul{margin:6px 0;padding-left:20px;max-width:78ch}li{margin:3px 0}
@media(max-width:640px){main,header .in,nav .in{padding-left:14px;padding-right:14px}section{padding:16px 14px}h1{font-size:24px}}
@media print{nav{display:none}section{break-inside:avoid}body{background:#fff}}
)css";

}  // namespace polymax::report
