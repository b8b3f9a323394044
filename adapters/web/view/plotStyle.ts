/** The style of pictures. A layer is a colour of several. */
export const plotStyle = `
.plot { display: grid; grid-template-columns: minmax(0, 1fr); margin: .5rem 0 1.25rem; container-type: inline-size } .plot > * { grid-column: 1 } .plot > figcaption { grid-row: 1; font-weight: 600 } .plot > svg { grid-row: 3 } .plot > details { grid-row: 4 } .plot.square { max-width: 27rem } .plot.across { max-width: 46rem }
.plot > :is(output, .keys) { grid-row: 2; margin: .2rem 0; font-size: .8rem; line-height: 1.4rem; min-height: 1.4rem; max-width: none; color: var(--soft); font-variant-numeric: tabular-nums } .plot output:not(:empty) + .keys { visibility: hidden }
${[2, 3, 4, 5].map((lines) => `.say-${lines} > output { min-height: ${1.4 * lines}rem }`).join(" ")} @container (min-width: 34rem) { .plot[class] > output { min-height: 1.4rem } ${[3, 4, 5].map((lines) => `.say-${lines}[class] > output { min-height: 2.8rem }`).join(" ")} }
.plot output b { font-weight: 600; color: var(--ink) } .keys { display: flex; flex-wrap: wrap; gap: 0 1rem } .key { overflow-wrap: anywhere; min-width: 0 }
.key::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin-right: .35rem; vertical-align: -.05rem; background: var(--mark); border-radius: 50% } .key.of-bar::before { border-radius: .1rem } .key.market::before { border-radius: 0 } .key:is(.of-line, .of-rule)::before { height: 0; border-radius: 0; background: none; border-top: 2px solid var(--mark); vertical-align: .25rem; width: 1rem } .key.of-line.market::before { border-top-style: dashed } .key.of-area::before { opacity: .25; border-radius: .1rem }
.plot > svg { display: block; width: 100%; overflow: visible; box-sizing: border-box; padding-right: .5rem; font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums; touch-action: pan-y } .plot > svg:focus-visible { outline-offset: 2px }
${[2, 4, 6, 8, 10, 12].map((size) => `.pad-${size} { padding-left: ${size * 7 + 10}px }`).join(" ")}
svg svg { overflow: visible } svg text { fill: var(--soft); paint-order: stroke; stroke: var(--back); stroke-width: 3px; stroke-linejoin: round } svg .name { fill: var(--ink) } svg text:is(.model, .market, .official) { fill: var(--mark) }
.over { fill: none; pointer-events: all } .cross { fill: var(--ink); visibility: hidden } .cross.on { visibility: visible } .cross[width="100%"] { opacity: .07 }
.grid { stroke: var(--line); stroke-width: .7 } .axis { stroke: var(--soft) } :is(.perfect, .zero) { stroke: var(--soft); stroke-dasharray: 4 3 }
.line { fill: none; stroke: var(--mark); stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke } .line.market { stroke-dasharray: 5 2 } .line.price { stroke-width: 3; stroke-dasharray: none } .line.perfect { stroke: var(--soft); stroke-width: 1 }
.area { fill: var(--mark); opacity: .16 } .rule { stroke: var(--mark); stroke-width: 2 } .rule.band { stroke-width: 4; opacity: .3 } .rule.official { stroke-dasharray: 3 2 }
:is(rect, .dot):not(.over, .cross) { fill: var(--mark) } .dot { stroke: var(--back) } .dot.faint { opacity: .4 }
.model, .layer-0, .layer-3 { --mark: var(--model) } .market, .layer-1, .layer-4 { --mark: var(--market) } .official, .layer-2 { --mark: var(--official) } .failed { --mark: var(--bad) } .less, .layer-others { --mark: var(--soft) } :is(.layer-3, .layer-4, .layer-others):not(.key) { opacity: .5 }
`
