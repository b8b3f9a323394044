import type { ReliabilityBin } from "../../../core/math/reliability.ts"
import type { HorizonResult, Scores } from "./harness.ts"

const plot = 320
const counts = 64
const panel = { width: 400, height: plot + counts + 124 }
const columns = 3
const margin = { left: 56, top: 44 }
const colours = { baseline: "#b45309", model: "#1d4ed8" }

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const fixed = (value: number): string => value.toFixed(1)
const short = (count: number): string =>
  count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`

const text = (x: number, y: number, size: number, body: string, more = ""): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}" font-size="${size}" ${more}>${escape(body)}</text>`

const line = (x1: number, y1: number, x2: number, y2: number, more: string): string =>
  `<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" ${more}/>`

/** Bins with fewer forecasts are unreliable (standard error above .035): drawn faint and not joined. */
const few = 200

/** Observed frequency over mean probability, one mark per non-empty bin, joined in order. */
const curve = (bins: ReadonlyArray<ReliabilityBin>, name: string, colour: string, square: boolean): string => {
  const marks = bins.filter(({ count }) => count > 0)
  const at = ({ meanProbability, frequency }: ReliabilityBin) =>
    [meanProbability * plot, (1 - frequency) * plot] as const
  const path = marks
    .filter(({ count }) => count >= few)
    .map((bin, index) => `${index === 0 ? "M" : "L"}${at(bin).map(fixed).join(" ")}`)
    .join("")
  const shapes = marks.map((bin) => {
    const [x, y] = at(bin)
    const title = `<title>${escape(`${name}: ${bin.count} forecasts, mean ${bin.meanProbability.toFixed(4)}, came true ${bin.frequency.toFixed(4)}`)}</title>`
    const more = `stroke="${colour}" stroke-width="1.5"${bin.count < few ? ' opacity="0.35"' : ""}`
    return square
      ? `<rect x="${fixed(x - 3.5)}" y="${fixed(y - 3.5)}" width="7" height="7" fill="#fff" ${more}>${title}</rect>`
      : `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="3.5" fill="${colour}" ${more}>${title}</circle>`
  })
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.2"/>${shapes.join("")}`
}

/** Two models on the same forecasts. */
export interface Panel {
  readonly title: string
  /** Kind and number of the forecasts. */
  readonly cases: string
  readonly baseline: Pick<Scores, "ece" | "reliability">
  readonly model: Pick<Scores, "ece" | "reliability">
}

/** Forecasts per bin: two bars per bin, labelled with the model's count. */
const histogram = ({ baseline, model }: Panel): string => {
  const most = Math.max(
    ...baseline.reliability.map(({ count }) => count),
    ...model.reliability.map(({ count }) => count),
  )
  const width = plot / model.reliability.length
  const bar = (bin: number, { count }: ReliabilityBin, side: 0 | 1, colour: string) => {
    const height = (count / most) * counts
    return `<rect x="${fixed(bin * width + 1 + (side * (width - 2)) / 2)}" y="${fixed(counts - height)}" width="${fixed((width - 2) / 2)}" height="${fixed(height)}" fill="${colour}"><title>${count}</title></rect>`
  }
  return model.reliability
    .map((bin, at) => {
      const before = baseline.reliability[at]!
      const top = counts - (Math.max(bin.count, before.count) / most) * counts
      const x = (at + 0.5) * width + 3
      return [
        bar(at, before, 0, colours.baseline),
        bar(at, bin, 1, colours.model),
        text(
          x,
          top - 4,
          8,
          `${short(before.count)} / ${short(bin.count)}`,
          `transform="rotate(-90 ${fixed(x)} ${fixed(top - 4)})" fill="#475569"`,
        ),
      ].join("")
    })
    .join("")
}

const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]

const panelOf = (result: Panel, baseline: string, model: string, x: number, y: number): string => {
  const grid = ticks.map((tick) => {
    const at = tick * plot
    return [
      line(at, 0, at, plot, 'stroke="#e2e8f0"'),
      line(0, at, plot, at, 'stroke="#e2e8f0"'),
      text(-8, plot - at + 4, 11, tick.toFixed(1), 'text-anchor="end" fill="#334155"'),
      text(at, plot + 16, 11, tick.toFixed(1), 'text-anchor="middle" fill="#334155"'),
    ].join("")
  })
  return `<g transform="translate(${x + margin.left} ${y + margin.top})">
${text(0, -14, 15, result.title, 'font-weight="600" fill="#0f172a"')}${text(plot, -14, 11, `${result.cases}, ECE ${result.baseline.ece.toFixed(4)} → ${result.model.ece.toFixed(4)}`, 'text-anchor="end" fill="#334155"')}
${grid.join("")}
${line(0, plot, plot, 0, 'stroke="#64748b" stroke-dasharray="4 4"')}
${curve(result.baseline.reliability, baseline, colours.baseline, true)}
${curve(result.model.reliability, model, colours.model, false)}
<rect width="${plot}" height="${plot}" fill="none" stroke="#94a3b8"/>
<g transform="translate(0 ${plot + 74})">${histogram(result)}${line(0, counts, plot, counts, 'stroke="#94a3b8"')}</g>
</g>`
}

/** The diagram of a backtest by horizons. */
export const diagram = (
  title: string,
  baseline: string,
  model: string,
  results: ReadonlyArray<HorizonResult>,
): string =>
  reliabilityDiagram(
    title,
    baseline,
    model,
    results.map(({ minutes, origins, ...scores }) => ({
      title: `${minutes} minutes`,
      cases: `${origins} origins`,
      ...scores,
    })),
  )

/**
 * A reliability diagram as SVG. Each panel shows observed frequency over forecast probability for both models, with the
 * diagonal of perfect calibration; bars below it show the number of forecasts per bin.
 */
export const reliabilityDiagram = (
  title: string,
  baseline: string,
  model: string,
  results: ReadonlyArray<Panel>,
): string => {
  const rows = Math.ceil(results.length / columns)
  const width = columns * panel.width + 20
  const height = rows * panel.height + 96
  const panels = results.map((result, at) =>
    panelOf(result, baseline, model, (at % columns) * panel.width, 70 + Math.floor(at / columns) * panel.height),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" role="img">
<title>${escape(`Reliability of ${baseline} and ${model}: ${title}`)}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${text(margin.left, 34, 19, `Reliability: ${title}`, 'font-weight="600" fill="#0f172a"')}
<rect x="${margin.left}" y="49" width="9" height="9" fill="#fff" stroke="${colours.baseline}" stroke-width="1.5"/>${text(margin.left + 16, 58, 13, `${baseline} (left bars)`, `fill="${colours.baseline}"`)}
<circle cx="${margin.left + 210}" cy="53.5" r="4.5" fill="${colours.model}"/>${text(margin.left + 222, 58, 13, `${model} (right bars)`, `fill="${colours.model}"`)}
${text(width - 20, 34, 12, `x: forecast probability; y: observed frequency; bars: forecasts per bin; faint: fewer than ${few}`, 'text-anchor="end" fill="#475569"')}
${panels.join("\n")}
</svg>
`
}
