import type { FairLine } from "./fairLine.ts"

type Line = Omit<FairLine, "margins">

/** The numbers of a line, as served. */
export const lineOf = (line: Line) => ({
  home_margin: line.homeMargin,
  spread: line.spread,
  total: line.total,
  win_prob_home: line.winProbHome,
  win_prob_away: line.winProbAway,
  sigma_margin: line.sigmaMargin,
  median_margin: line.medianMargin,
})

export const driversOf = ({ drivers }: Pick<Line, "drivers">) =>
  drivers.map(({ feature, points }) => ({ feature, points }))

/** The recorded output of a line: scored against the final, and against a venue's contracts on who wins. */
export const outputOf = (line: Line) => ({ ...lineOf(line), drivers: driversOf(line) })
