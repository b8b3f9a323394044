/**
 * The visual system of all pages: colours by role, sizes of type. A page names a role, never a colour.
 */

/** The roles of colours, in light and dark. Text roles have at least 4.5 to 1 on `back` and on `raised` (WCAG 2.2 AA). */
export const colours = {
  ink: ["#0f172a", "#e2e8f0"],
  /** Text of less weight. */
  soft: ["#475569", "#a3b1c6"],
  /** Borders and grids. */
  line: ["#cbd5e1", "#334155"],
  /** Borders of fields: 3 to 1 on `back` (WCAG 2.2, 1.4.11). */
  edge: ["#8390a4", "#64748b"],
  back: ["#fff", "#0b1120"],
  /** Blocks of code and buttons of less weight. */
  raised: ["#f1f5f9", "#172033"],
  /** Links and buttons. */
  accent: ["#1d4ed8", "#7dd3fc"],
  /** The background of a notice. */
  note: ["#fef3c7", "#422006"],
  /** States that need nothing. */
  good: ["#15803d", "#4ade80"],
  /** States that stop something, and actions that cannot be undone. */
  bad: ["#b91c1c", "#fca5a5"],
  /** Our models, everywhere; their marks are circles. */
  model: ["#1d4ed8", "#7dd3fc"],
  /** The market, and states that need attention; its marks are squares. */
  market: ["#b45309", "#fbbf24"],
  official: ["#0f766e", "#5eead4"],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>

/** Sizes of type, rem: titles of three levels, text, small text, notes of charts and tables. */
export const type = { title: 1.75, section: 1.25, part: 1.05, text: 1, small: 0.875, note: 0.8 } as const

const declared = (scheme: 0 | 1): string =>
  Object.entries(colours)
    .map(([role, shades]) => `--${role}: ${shades[scheme]};`)
    .join(" ")

/** The roles as properties of the style sheet, by the reader's setting. */
export const properties = `:root {
  color-scheme: light dark;
  ${declared(0)}
  ${Object.entries(type)
    .map(([name, size]) => `--type-${name}: ${size}rem;`)
    .join(" ")}
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  --radius: .4rem;
}
@media (prefers-color-scheme: dark) {
  :root { ${declared(1)} }
}`
