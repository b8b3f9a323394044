/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact"
import { count } from "../../../core/text.ts"
import { dayText } from "../view/dates.ts"
import { signed } from "../view/numbers.ts"
import { numeric } from "../view/parts.tsx"
import { type Picture as Plotted, plot } from "../view/plot.tsx"
import { nameOfDomain, partColumns } from "./tables.tsx"
import type { Difference } from "./verdict.ts"

type Drawn = Omit<Plotted, "title" | "isTitled" | "children">

const digits = (value: number): string => signed(value.toFixed(4))

/** Differences with intervals, a line each; left of zero the first is ahead. With `hasTotal` the first line is all of them. */
export const differences = (
  rows: ReadonlyArray<Difference>,
  [one, other]: readonly [one: string, other: string],
  hasTotal: boolean,
  hrefOf?: (label: string) => string,
): Drawn => {
  const far = 1.1 * Math.max(1e-6, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]))
  const dots = rows.map(({ estimate }, at) => [at, estimate] as const)
  return {
    label: `Brier score of the ${one} minus that of the ${other}, with 95 % intervals. Left of zero the ${one} is ahead.`,
    isAcross: true,
    x: { domain: [-far, far], ends: [`← ${one} ahead`, `${other} ahead →`] },
    marks: [
      { kind: "rule", as: "model", rows: rows.map(({ low, high }, at) => [at, low, high]) },
      { kind: "dot", as: "model total", rows: dots.slice(0, hasTotal ? 1 : 0) },
      { kind: "dot", as: "model", rows: dots.slice(hasTotal ? 1 : 0) },
    ],
    columns: ["Of", numeric("Difference"), "95 % interval", numeric("Markets")],
    rows: rows.map(({ label, estimate, low, high, markets }, at) => ({
      at,
      cells: [
        hasTotal ? `${nameOfDomain(label)}, n = ${count(markets)}` : label,
        digits(estimate),
        `${digits(low)} to ${digits(high)}`,
        count(markets),
      ],
      ...(hrefOf === undefined ? {} : { href: hrefOf(label) }),
    })),
  }
}

export interface Lead {
  readonly label: string
  readonly model: number
  readonly market: number
  readonly href: string
  /** Its markets and scores. */
  readonly cells: ReadonlyArray<string>
}

/** Scores of model and market, a line for each lead, on an axis that does not begin at zero: the differences are small. */
export const leads = (rows: ReadonlyArray<Lead>): Drawn => ({
  label: "Brier scores of model and market by time from forecast to close.",
  isAcross: true,
  x: { name: "Brier score, better to the left" },
  marks: [
    { kind: "rule", as: "less", rows: rows.map(({ model, market }, at) => [at, model, market]) },
    { kind: "dot", as: "market", name: "Market", rows: rows.map(({ market }, at) => [at, market]) },
    { kind: "dot", as: "model", name: "Model", rows: rows.map(({ model }, at) => [at, model]) },
  ],
  columns: ["Time", numeric("Difference"), ...partColumns],
  rows: rows.map(({ label, model, market, href, cells }, at) => ({
    ...{ at, href, cells: [label, digits(model - market), ...cells] },
  })),
})

/** A cumulative sum by day, as steps: nothing changes between days with trades. */
export const ledger = (
  points: ReadonlyArray<{ readonly day: string; readonly value: number; readonly trades: number }>,
): Drawn => {
  const all = points.map((point) => ({ ...point, at: Date.parse(point.day) }))
  const last = all.at(-1)!
  return {
    label: `Running result of the hypothetical ledger after fees, US dollars, by day of close, at last ${last.value.toFixed(2)}.`,
    x: { isTime: true },
    y: { name: "USD" },
    marks: [
      {
        kind: "line",
        as: "model",
        text: signed(last.value.toFixed(2)),
        rows: all.flatMap(({ at, value }, n) => [
          [at, all[n - 1]?.value ?? 0],
          [at, value],
        ]),
      },
      { kind: "dot", as: "model", rows: [[last.at, last.value]] },
    ],
    columns: ["Day", numeric("Trades"), numeric("Result after fees, USD")],
    rows: all.map(({ day, at, value, trades }) => ({
      at,
      cells: [dayText(day), count(trades), signed(value.toFixed(2))],
    })),
  }
}

/** A picture under its heading, with further tables behind it. Without enough markets for a picture the tables are open. */
export const Picture = ({
  title,
  words,
  drawn,
  children,
}: {
  readonly title: string
  readonly words: string
  readonly drawn: Drawn | undefined
  readonly children?: ComponentChildren
}): VNode => (
  <section>
    <h2>{title}</h2>
    <p class="soft">{words}</p>
    {drawn === undefined ? children : plot({ ...drawn, title, isTitled: true, children })}
  </section>
)
