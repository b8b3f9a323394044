import { escape } from "../wire.ts"

/*
 * SVG charts without scripts: classes carry the colours, so that the page's style sheet follows the reader's light or
 * dark setting. Each has a text alternative, and a table with its numbers next to it.
 */

const round = (value: number): string => String(Math.round(value * 10) / 10)

const svg = (width: number, height: number, label: string, body: string): string =>
  `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(label)}">${body}</svg>`

const line = (x1: number, y1: number, x2: number, y2: number, kind: string): string =>
  `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`

const text = (x: number, y: number, words: string, anchor: "start" | "middle" | "end" = "middle"): string =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escape(words)}</text>`

const titled = (title: string): string => `<title>${escape(title)}</title>`

/** About five round numbers across a range. */
export const ticks = (low: number, high: number): ReadonlyArray<number> => {
  const rough = (high - low) / 5
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  // Multiples of the step, so that rounding errors do not add up.
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** One bin of a reliability diagram. A bin without forecasts has a count only. */
export interface ReliabilityPoint {
  readonly count: number
  readonly mean_probability?: number
  readonly frequency?: number
  readonly low?: number
  readonly high?: number
}

/** Observed frequency over forecast probability, with 95 % bands; the diagonal is perfect calibration. */
export const reliability = (bins: ReadonlyArray<ReliabilityPoint>, who: "model" | "market"): string => {
  const [left, top, size] = [44, 12, 260]
  const x = (p: number) => left + p * size
  const y = (p: number) => top + (1 - p) * size
  const known = bins.flatMap(({ count, mean_probability: p, frequency, low, high }) =>
    p === undefined || frequency === undefined || low === undefined || high === undefined
      ? []
      : [{ count, p, frequency, low, high }],
  )
  const grid = ticks(0, 1).map(
    (tick) =>
      line(x(tick), y(0), x(tick), y(1), "grid") +
      line(x(0), y(tick), x(1), y(tick), "grid") +
      text(x(tick), y(0) + 16, String(tick)) +
      text(left - 6, y(tick) + 4, String(tick), "end"),
  )
  const bands = known.map(({ p, low, high }) => line(x(p), y(low), x(p), y(high), `band ${who}`))
  const path = known.map(({ p, frequency }, at) => `${at === 0 ? "M" : "L"}${round(x(p))} ${round(y(frequency))}`)
  const dots = known.map(
    ({ count, p, frequency }) =>
      `<circle class="${who}" cx="${round(x(p))}" cy="${round(y(frequency))}" r="4">${titled(
        `said ${p.toFixed(3)}, came true ${frequency.toFixed(3)}, ${count} markets`,
      )}</circle>`,
  )
  return svg(
    316,
    312,
    `Reliability of the ${who}: share that came true over probability given, ${known.length} bins with 95 % bands.`,
    [
      ...grid,
      line(x(0), y(0), x(1), y(1), "perfect"),
      ...bands,
      `<path class="curve ${who}" d="${path.join("")}"/>`,
      ...dots,
      text(x(0.5), y(0) + 34, "probability given"),
      `<text transform="translate(12 ${y(0.5)}) rotate(-90)" text-anchor="middle">share that came true</text>`,
    ].join(""),
  )
}

/** Differences with intervals, one per line; left of zero the model is ahead. */
export const differences = (
  rows: ReadonlyArray<{
    readonly label: string
    readonly estimate: number
    readonly low: number
    readonly high: number
  }>,
): string => {
  const [left, right, lineHeight] = [90, 420, 26]
  const far = Math.max(1e-6, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])) * 1.1
  const x = (value: number) => left + ((value + far) / (2 * far)) * (right - left)
  const bottom = rows.length * lineHeight + 8
  const marks = rows.map(({ label, estimate, low, high }, at) => {
    const y = at * lineHeight + 18
    return (
      text(left - 10, y + 4, label, "end") +
      line(x(low), y, x(high), y, "interval") +
      `<circle class="point" cx="${round(x(estimate))}" cy="${y}" r="4">${titled(
        `${label}: ${estimate.toFixed(4)}, 95 % from ${low.toFixed(4)} to ${high.toFixed(4)}`,
      )}</circle>`
    )
  })
  const axis = ticks(-far, far).map(
    (tick) =>
      line(x(tick), 4, x(tick), bottom, tick === 0 ? "zero" : "grid") + text(x(tick), bottom + 16, String(tick)),
  )
  return svg(
    440,
    bottom + 44,
    "Brier score of the model minus that of the market, with 95 % intervals. Left of zero the model is ahead.",
    [
      ...axis,
      ...marks,
      text(x(0) - 12, bottom + 36, "← model ahead", "end"),
      text(x(0) + 12, bottom + 36, "market ahead →", "start"),
    ].join(""),
  )
}

/** Two bars per group: model and market. */
export const bars = (
  rows: ReadonlyArray<{ readonly label: string; readonly model: number; readonly market: number }>,
  label: string,
): string => {
  const [left, top, height, group] = [52, 28, 170, 90]
  const most = Math.max(1e-9, ...rows.flatMap(({ model, market }) => [model, market])) * 1.08
  const y = (value: number) => top + (1 - value / most) * height
  const width = left + rows.length * group + 8
  const bar = (who: string, x: number, value: number) =>
    `<rect class="${who}" x="${round(x)}" y="${round(y(value))}" width="30" height="${round(height + top - y(value))}">${titled(`${who} ${value.toFixed(4)}`)}</rect>`
  const axis = ticks(0, most).map(
    (tick) => line(left, y(tick), width, y(tick), "grid") + text(left - 6, y(tick) + 4, String(tick), "end"),
  )
  const marks = rows.map(({ label: name, model, market }, at) => {
    const x = left + at * group + 12
    return bar("model", x, model) + bar("market", x + 34, market) + text(x + 32, top + height + 16, name)
  })
  const key = ["model", "market"].map(
    (who, at) =>
      `<rect class="${who}" x="${left + at * 70}" y="4" width="12" height="12"/>${text(left + at * 70 + 17, 14, who, "start")}`,
  )
  return svg(width, top + height + 28, label, [...axis, ...marks, ...key].join(""))
}

/** A cumulative sum by day. */
export const curve = (points: ReadonlyArray<{ readonly day: string; readonly value: number }>): string => {
  const [left, top, width, height] = [64, 12, 560, 200]
  const times = points.map(({ day }) => Date.parse(day))
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0]
  const values = [0, ...points.map(({ value }) => value)]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (time: number) => left + (to === from ? 0.5 : (time - from) / (to - from)) * width
  const y = (value: number) => top + (high === low ? 0.5 : (high - value) / (high - low)) * height
  const axis = ticks(low, high).map(
    (tick) =>
      line(left, y(tick), left + width, y(tick), tick === 0 ? "zero" : "grid") +
      text(left - 6, y(tick) + 4, String(tick), "end"),
  )
  const path = points.map(({ value }, at) => `${at === 0 ? "M" : "L"}${round(x(times[at]!))} ${round(y(value))}`)
  const ends = points.length === 0 ? [] : [points[0]!, points.at(-1)!]
  return svg(
    left + width + 16,
    top + height + 28,
    "Running result of the hypothetical ledger after fees, US dollars, by day of close.",
    [
      ...axis,
      `<path class="curve ledger" d="${path.join("")}"/>`,
      ...ends.map(({ day }, at) => text(x(Date.parse(day)), top + height + 18, day, at === 0 ? "start" : "end")),
    ].join(""),
  )
}
