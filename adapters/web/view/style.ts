import { plotStyle } from "./plotStyle.ts"
import { colours, properties, textRoles, type } from "./tokens.ts"

/**
 * The one style sheet of all pages. Colours are those of `tokens`; it follows the reader's light or dark setting.
 */
export const style = `
${properties}
*, ::before, ::after { box-sizing: border-box }
html { scroll-padding-top: 1rem; text-size-adjust: 100% }
body { margin: 0; background: var(--back); color: var(--ink); font: ${type.text}rem/1.55 system-ui, sans-serif; overflow-wrap: break-word }
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible, input:focus-within { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px }
h1, h2, h3 { line-height: 1.2; text-wrap: balance }
h1 { font-size: ${type.title}rem; margin: 0 0 .75rem }
h2 { font-size: ${type.section}rem; margin: 2.5rem 0 .75rem }
h3 { font-size: ${type.part}rem; margin: 1.75rem 0 .5rem }
p { margin: .6rem 0; max-width: 46rem }
code, pre { font-family: var(--mono); font-size: .875em }
code { background: var(--raised); padding: .1em .3em; border-radius: .25em }
pre { position: relative; background: var(--raised); padding: .8rem 4.4rem .8rem 1rem; border-radius: var(--radius); line-height: 1.45; white-space: pre-wrap; overflow-wrap: anywhere }
pre code { background: none; padding: 0; font-size: inherit }
.copy, .copy:hover { position: absolute; top: .45rem; right: .5rem; padding: .05rem .5rem; font: .75rem system-ui, sans-serif; user-select: none; background: var(--back); color: var(--ink); border: 1px solid var(--line) }
small, .soft { color: var(--soft); font-size: ${type.small}rem }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--back) }
.skip:focus { left: .5rem; top: .5rem; z-index: 1 }
.top, .bottom, main { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem }
.top { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding-top: .9rem; padding-bottom: .9rem }
.top nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; list-style: none; margin: 0; padding: 0 }
.top nav a { display: inline-block; padding: .2rem 0; color: var(--soft); text-decoration: none }
.top nav a:hover { color: var(--ink); text-decoration: underline }
.top nav a[aria-current] { color: var(--ink); box-shadow: inset 0 -2px var(--accent) }
.brand { font-weight: 650; color: var(--ink); text-decoration: none; padding: .2rem 0 }
main { padding-top: 1.5rem; padding-bottom: 4rem }
.bottom { border-top: 1px solid var(--line); padding-top: 1rem; padding-bottom: 2rem; color: var(--soft); font-size: .875rem }
.bottom ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0 }
.bottom a { display: inline-block; padding: .2rem 0; color: inherit }
.long { max-height: 26rem; overflow: auto; border-radius: var(--radius); margin: 1rem 0 } .long pre { margin: 0 }
.with-side { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem }
.side ul { list-style: none; margin: 0; padding: 0 }
.side a { display: block; padding: .15rem .5rem; color: var(--soft); text-decoration: none; border-left: 2px solid transparent }
.side a:hover { color: var(--ink) }
.side a[aria-current] { color: var(--ink); border-left-color: var(--accent) }
.side ul ul { padding-left: .75rem; font-size: .85rem }
@media (max-width: 55.99rem) {
  .side { border-bottom: 1px solid var(--line); padding-bottom: .75rem; margin-bottom: 1.25rem }
  .side > ul { display: flex; flex-wrap: wrap; gap: 0 .5rem }
  .side ul ul { display: none }
}
@media (min-width: 56rem) {
  .with-side { grid-template-columns: 14rem minmax(0, 1fr) }
  .side { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto }
}
.lane::first-letter { text-transform: uppercase }
.headline { font-size: ${type.section}rem; max-width: 60rem } .headline > span { color: var(--market) } .headline.ok > span { color: var(--good) } .headline.stopped > span { color: var(--bad) }
.lanes { list-style: none; padding: 0; max-width: 60rem } .lanes li { display: grid; grid-template-columns: minmax(0, 9rem) minmax(max-content, 1fr); gap: .2rem 1rem; align-items: center; justify-items: start; padding: .7rem 0; border-top: 1px solid var(--line) }
.lanes h2 { margin: 0; font-size: 1rem } .lanes :is(p, details, .days) { grid-column: 1 / -1; margin: 0 } .lanes details { width: 100% } .lanes td { white-space: nowrap }
.days { display: block; width: 100%; height: 2rem } .days .up { fill: var(--good) } .days .down { fill: var(--bad) }
@media (min-width: 56rem) { .lanes li:has(.days) { grid-template-columns: 9rem 14rem 1fr } .lanes .days { grid-column: 3 } }
.listing caption, .operation caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.listing tbody th { font-weight: 400 }
h3 small { font-weight: 400 }
.operation { border-top: 1px solid var(--line) }
.operation h2 { margin-top: 1.5rem } .operation h2 a { color: inherit; text-decoration: none } .operation h2 a:hover { text-decoration: underline }
.lead { font-size: 1.15rem; color: var(--soft); max-width: 44rem }
.notice { margin-bottom: 1rem; background: var(--note); padding: .6rem .9rem; border-radius: var(--radius); max-width: none }
.scroll { position: relative; overflow-x: auto; margin: .75rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; width: 100% }
caption { text-align: left; color: var(--soft); padding: .2rem 0 }
th, td { text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600 }
thead th { color: var(--soft); font-weight: 500 }
th:last-child, td:last-child { padding-right: 0 }
@media (min-width: 40rem) { thead th { white-space: nowrap } }
@media (max-width: 39.99rem) { table { font-size: .85rem } th, td { padding-right: .45rem } thead .number { white-space: normal } }
.number { text-align: right; white-space: nowrap } time { white-space: nowrap }
.badge { display: inline-block; font-size: ${type.note}rem; line-height: 1.4; padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); white-space: nowrap }
.badge.good, .badge.ok { color: var(--good); border-color: currentColor }
.badge.bad, .badge.stopped { color: var(--bad); border-color: currentColor }
.badge.attention { color: var(--market); border-color: currentColor } .badge.waiting { border-style: dashed }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem 2.5rem } .columns > .plot:only-child { grid-column: 1 / -1 }
@media (min-width: 56rem) { .columns { grid-template-columns: repeat(2, minmax(0, 1fr)) } }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem; padding: 0; list-style: none }
.card { border: 1px solid var(--line); border-radius: var(--radius); padding: .9rem 1rem }
.card h2, .card h3 { margin: 0 0 .4rem; font-size: 1.05rem }
.card p { margin: .3rem 0 }
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.25rem }
dl.facts dt { color: var(--soft) }
dl.facts dd { margin: 0; overflow-wrap: anywhere } .facts dd time { white-space: normal }
details > summary { cursor: pointer; padding: .2rem 0 }
.ask label { display: block; font-weight: 600; margin-bottom: .3rem } .ask span { display: flex; flex-wrap: wrap; gap: .5rem }
.ask input { flex: 1 1 14rem; max-width: 34rem }
input, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft); border-radius: var(--radius); padding: .4rem .7rem; min-width: 0 }
button { background: var(--raised); cursor: pointer }
.terms dt { font-weight: 600 } .terms dd { margin: 0 0 .6rem; max-width: 46rem } dd code { overflow-wrap: anywhere }
#results ul { list-style: none; padding: 0 } #results li { margin: .5rem 0 } #results li > span:last-child { color: var(--soft); font-size: .9rem } #results a { overflow-wrap: anywhere }
@media (scripting: enabled) { [data-leaf] { min-height: 15rem } [data-from] { min-height: 4.8rem } }
.steps { padding-left: 1.25rem } .steps li { margin: .4rem 0 }
figure { margin: .5rem 0 }
${plotStyle}.figure { display: block; font-size: ${type.figure}rem; line-height: 1.2; font-variant-numeric: tabular-nums }
dl.cards dt { color: var(--soft); font-size: .875rem } dl.cards dd { margin: 0 } dd > a + a { display: inline-block; padding: .25rem 0 }
.board h2 { margin-top: 1.5rem } .board th, .board td { padding-right: .6rem } .board tbody th { font-weight: 400 }
button, .button { font: inherit; min-height: 2rem; padding: .25rem .9rem; border: 1px solid var(--accent); border-radius: var(--radius); background: var(--accent); color: var(--back); cursor: pointer; text-decoration: none; display: inline-block }
button:hover, .button:hover { filter: brightness(1.12) }
.inline button { background: none; color: var(--accent); padding: .1rem .6rem; min-height: 1.75rem } .inline { display: inline-block; margin: 0 }
button.danger, .button.danger { background: none; color: var(--bad); border-color: var(--bad) }
button.spend { background: none; color: var(--market); border-color: currentColor } .notice button.spend { background: var(--market); color: var(--back) }
.call > .stacked { margin-top: 0 }
@media (min-width: 64rem) { .call { display: grid; grid-template: auto 1fr / minmax(0, 22rem) minmax(0, 1fr); gap: 0 2.5rem } .call > .stacked { grid-area: 1 / 1 / 3 / 2; align-content: start } .call > :is(.answer, section) { grid-column: 2; margin-top: 0; min-width: 0 } }
.stacked { display: grid; gap: .9rem; max-width: 30rem; margin: 1rem 0; justify-items: start }
.field { display: grid; gap: .2rem; width: 100% } label, legend { font-weight: 600 } .check { font-weight: 400; display: block; padding: .15rem 0 }
fieldset { border: 1px solid var(--line); border-radius: var(--radius); margin: 0; padding: .4rem .9rem .6rem; width: 100% }
input:not([type=checkbox]), select, textarea { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft); border-radius: var(--radius); padding: .3rem .5rem; width: 100%; min-height: 2.4rem }
input[type=checkbox] { width: 1.5rem; height: 1.5rem; vertical-align: -.35rem } [aria-invalid] { border-color: var(--bad) }
.error { color: var(--bad); font-size: .925rem } .narrow { max-width: 34rem; margin: 2rem auto }
.urgent { border: 1px solid var(--line); border-radius: var(--radius); padding: .7rem 1rem; margin-bottom: 1.25rem } .urgent h2 { margin: 0 0 .4rem } .urgent ul { list-style: none; margin: 0; padding: 0 } .urgent li { padding: .2rem 0 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.secret { white-space: pre-wrap; overflow-wrap: anywhere; user-select: all }
.id { overflow-wrap: anywhere; font-weight: 400 } meter { width: 100%; max-width: 14rem; height: .9rem } .actions { display: flex; flex-wrap: wrap; gap: .4rem } .filters { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end } .filters .field { width: auto; min-width: 9rem }
.dashboard time, .dashboard td a { white-space: nowrap } .dashboard tbody th, .dashboard td a { overflow-wrap: anywhere; max-width: 18rem } .dashboard td a { white-space: normal }
.long tbody th { white-space: nowrap } .long thead th { white-space: nowrap; max-width: 9rem; overflow: hidden; text-overflow: ellipsis } tfoot { font-weight: 600 }
.test { border-style: dashed }
.hc { color: var(--soft) } .hp { color: var(--accent) } .hs { color: var(--good) } .hn { color: var(--market) } .hk { font-weight: 650 }
.tabs { display: flex; flex-wrap: wrap; gap: 0 .25rem; margin: .75rem 0 } .panel { width: 100% } .panel > pre { margin: 0 } .panel + .panel { margin-top: .5rem }
.tabs > label { position: relative; padding: .25rem .7rem; border-bottom: 2px solid transparent; color: var(--soft); font-weight: 500 } .tabs input:not([type=checkbox]) { position: absolute; inset: 0; width: 100%; height: 100%; min-height: 0; opacity: 0; cursor: pointer }
@supports selector(:has(a)) {
  .panel { display: none; margin: 0 } .tabs > label:has(:checked) { color: var(--ink); border-bottom-color: var(--accent) } .tabs > label:has(:focus-visible) { outline: 2px solid var(--accent) }
  ${[1, 2, 3, 4].map((at) => `.tabs:has(label:nth-of-type(${at}) > :checked) > .panel:nth-of-type(${at})`).join(", ")} { display: block }
}
h3 a, figcaption a { display: inline-block; padding: .15rem 0 }
.plain { background: none; color: var(--accent) }
.brand::before { content: ""; display: inline-block; width: 1.25rem; height: 1.25rem; margin-right: .5rem; vertical-align: -.27rem; border-radius: .3rem; background: linear-gradient(var(--back) 0 0) 28% 78% / .24rem .5rem no-repeat, linear-gradient(var(--back) 0 0) 72% 64% / .24rem .82rem no-repeat, var(--accent) }
.subject { border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.4rem; margin: 1rem 0 2rem }
.subject > header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem 1.5rem }
.subject > header > :is(h1, h2) { margin: 0; font-size: 1.45rem } .subject > header time { color: var(--soft); font-variant-numeric: tabular-nums } .subject h2 a { color: inherit; text-decoration: none } .subject h2 a:hover { text-decoration: underline }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 3.5rem; align-items: end; margin: 1rem 0 1.25rem } .figures > .actions { margin: 0 0 0 auto }
.says { display: flex; flex-wrap: wrap; gap: .25rem 2.25rem } .says .of { width: 100%; font-weight: 600 }
.says p { margin: 0 } .says p > span { display: block; color: var(--soft); font-size: .8rem } .says strong { font-size: 2.75rem; line-height: 1.1; font-weight: 650; letter-spacing: -.025em; font-variant-numeric: tabular-nums; white-space: nowrap } .says small { white-space: nowrap } .says p > span + small { display: block; max-width: 13rem; padding-top: .4rem; white-space: normal; line-height: 1.35 }
.we strong { color: var(--model) } .they strong { color: var(--market) } .happened strong { color: var(--official) }
.subject > .plot { max-width: 44rem } .subject > dl.facts { margin: .75rem 0 0; padding-top: .75rem; border-top: 1px solid var(--line); font-size: .9rem }
@media (min-width: 56rem) {
  .subject:has(> .plot + .scroll) { display: grid; grid-template-columns: minmax(0, 7fr) minmax(0, 6fr); grid-template-rows: auto auto auto auto 1fr; gap: 0 2.25rem } .subject > :is(header, .figures, .happened) { grid-column: 1 / -1 }
  .subject > .plot:has(+ .scroll) { grid-row: span 3 } .subject > .plot + .scroll + dl { grid-column: 2; border: 0; align-self: start }
  .hero { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 0 3.5rem; align-items: center } .hero > div { grid-row: 1 / span 2 }
}
.hero h1 { font-size: clamp(1.9rem, 4.2vw, 3rem); line-height: 1.08; letter-spacing: -.03em; margin-bottom: 1rem } .hero .button { font-size: 1.1rem; padding: .55rem 1.5rem } .hero .actions { margin: 1.5rem 0 }
.front > section + section { margin-top: 3.5rem } .honest h2 { font-size: clamp(1.4rem, 3vw, 2rem); letter-spacing: -.02em; margin-top: 0 } .front .columns pre { margin: .75rem 0 }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: .8rem; list-style: none; padding: 0; margin: .75rem 0 }
.tile { display: grid; align-content: start; gap: .2rem; height: 100%; border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem; color: inherit; text-decoration: none } .tile:hover { border-color: var(--accent) } .tile .name { font-weight: 550 }
.pair { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .7rem; font-variant-numeric: tabular-nums } .pair > span { flex: 1 } .pair strong { white-space: nowrap; font-size: 1.5rem; line-height: 1.25; font-weight: 650; color: var(--model) } .pair > span ~ strong { font-size: 1.15rem } .pair small { white-space: nowrap }
.tiles.lines { display: block } .lines .tile { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.25rem; border-width: 0 0 1px; border-radius: 0; padding: .45rem 0 } .lines .name { flex: 1 1 16rem } .lines .pair strong { font-size: 1.05rem }
.answer { border: 1px solid var(--line); border-radius: var(--radius); padding: .6rem 1rem; margin: 1rem 0 } .answer > :is(h2, h3) { margin-top: 0 }
@media (max-width: 39.99rem) {
  h2 { margin-top: 1.5rem } .wide { display: none } .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem } .tile { padding: .6rem .7rem } .tile > small { font-size: .75rem } .plot { margin: .25rem 0 } .subject { padding: .9rem 1rem; margin: .75rem 0 1.25rem } .figures { gap: .75rem 1.5rem; margin: .6rem 0 } .figures > .actions { margin: 0 } .says strong { font-size: 2.25rem } .says { gap: .25rem 1.5rem }
  .front > section + section { margin-top: 1rem } .front .subject > dl { display: none } .front .lead { font-size: 1rem } .hero .actions { margin: .75rem 0 } .front td, .front th { padding-top: .2rem; padding-bottom: .2rem }
}
.entries { list-style: none; padding: 0; max-width: 52rem } .entries > li { padding: .5rem 0; border-bottom: 1px solid var(--line) } .entries li li { padding: .15rem 0 } a.badge { padding: .2rem .6rem }
.bar, .framed { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem }
.bar { display: grid; grid-template: "brand account modes search out" / auto minmax(0, 1fr) auto minmax(8rem, 15rem) auto; gap: .3rem 1.1rem; align-items: center; padding-top: .6rem; padding-bottom: .6rem; border-bottom: 1px solid var(--line) }
.bar .brand { grid-area: brand } .bar .account { grid-area: account } .bar .modes { grid-area: modes } .bar .search { grid-area: search } .bar .inline { grid-area: out }
.bar p, .title h1 { margin: 0 } .account { overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.menu { display: none } .menu > summary { border: 1px solid var(--soft); border-radius: var(--radius); padding: .1rem .7rem }
.modes { display: flex; border: 1px solid var(--line); border-radius: var(--radius); font-size: .875rem }
.modes a { padding: .15rem .6rem; color: var(--soft); text-decoration: none; white-space: nowrap } .modes a:hover { color: var(--ink) }
.modes a[aria-current] { background: var(--raised); color: var(--ink); box-shadow: inset 0 -2px var(--accent) }
.framed { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2rem } .framed > main { padding: 1.25rem 0 4rem; max-width: none; margin: 0; width: 100% }
.title { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; margin-bottom: .75rem } .title h1 { overflow-wrap: anywhere } .title > p { margin: 0 0 0 auto; min-width: 9rem }
.framed > .side { position: static; max-height: none; padding: 1.25rem 0; margin: 0; border: 0 } .framed > .side > section + section { margin-top: 1rem }
.side section > p { margin: 0; padding: 0 .6rem; font-size: .75rem; font-weight: 650; letter-spacing: .05em; text-transform: uppercase; color: var(--soft) }
.dashboard .filters .field { flex: 1 1 9rem; max-width: 13rem }
@media (min-width: 40rem) { .framed { grid-template-columns: 10.5rem minmax(0, 1fr) } }
@media (max-width: 39.99rem) {
  .bar { grid-template: "brand menu" "account modes" / minmax(0, 1fr) auto; padding-top: .35rem; padding-bottom: .35rem }
  .menu { display: block; grid-area: menu } .bar .search, .bar .inline { grid-area: auto / 1 / auto / -1 } .framed > main { padding-top: .5rem }
  .bar:has(.menu:not([open])) :is(.search, .inline), .bar:has(.menu:not([open])) + .framed > .side { display: none }
  .framed > .side { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; padding-bottom: 0 } .framed > .side > section + section { margin: 0 }
  table.rows, .rows :is(caption, tbody, tfoot, tr, th, td) { display: block } .rows thead { display: none }
  .rows tr { border: 1px solid var(--line); border-radius: var(--radius); padding: .4rem .7rem; margin-bottom: .6rem }
  .rows a { display: inline-block; padding: .15rem 0; min-width: 1.6rem } .rows :is(th, td) { border: 0; padding: .15rem 0; text-align: left; overflow-wrap: anywhere }
  .rows td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .5rem; white-space: normal } .rows td > .badge { justify-self: start } .rows td::before { content: attr(data-label); color: var(--soft) }
}
@media (forced-colors: active) {
  :root { --soft: CanvasText; --ink: CanvasText; --line: GrayText; --model: LinkText; --market: CanvasText }
  button, .button { background: ButtonFace; color: ButtonText; border-color: ButtonText }
  .badge, .card { border-color: CanvasText } .notice { border: 1px solid } .top nav a[aria-current] { text-decoration: underline }
}
@media print {
  .top nav, .skip, .bottom, .side, .who form, .copy, .actions, form.filters, .notice a { display: none } body { font-size: 10pt } a { color: inherit; text-decoration: none }
  .scroll, .long { overflow: visible; max-height: none } thead { display: table-header-group } tr, figure { break-inside: avoid } .with-side { display: block }
}
`

/** Classes of the page that shows the visual system. */
export const swatches = [
  ...Object.keys(colours).map((role) => `.swatch.${role} { fill: var(--${role}); stroke: var(--line) }`),
  ...textRoles.map((role) => `.ink-${role} { color: var(--${role}) }`),
].join("\n")
