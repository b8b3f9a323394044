import type { Ended } from "./damageRuns.ts"

/** The outcomes of some runs, each once. */
const outcomes = (runs: ReadonlyArray<Ended>, onset: Ended["onset"]): string =>
  [...new Set(runs.filter((run) => run.onset === onset).map(({ outcome }) => outcome))].join(" or ")

const cell = (runs: ReadonlyArray<Ended>): string =>
  runs.length === 0 ? "–" : [outcomes(runs, "first"), outcomes(runs, "later")].join(" / ")

/** Columns that are shifted share a row. */
const rowOf = ({ damage }: Ended): string => damage.replace(/^`.*` shifted/, "values shifted")

/** A Markdown table of what each damage does: with nothing stored before / after a good attempt. */
export const damageTable = (all: ReadonlyArray<Ended>): string => {
  const sources = [...new Set(all.map(({ source }) => source))]
  const rows = [...new Set(all.map(rowOf))].map((row) => {
    const cells = sources.map((source) => cell(all.filter((run) => run.source === source && rowOf(run) === row)))
    return `| ${[row, ...cells].join(" | ")} |`
  })
  return [`| ${["Damage", ...sources].join(" | ")} |`, `|${"---|".repeat(sources.length + 1)}`, ...rows].join("\n")
}

/** The last line of a full run. */
export const damageSummary = (lane: string, all: ReadonlyArray<Ended>): string => {
  const count = (of: "wrong" | "recorded") => all.filter((run) => run[of].length > 0).length
  const silent = all.filter(({ silent }) => silent.length > 0).length
  const sources = new Set(all.map(({ source }) => source)).size
  const damages = new Set(all.map(({ damage }) => damage)).size
  return `${lane}: ${sources} feeds × ${damages} damages, ${all.length} runs: confident wrong answers: ${count("wrong")}, recorded wrong: ${count("recorded")}, red in time: ${silent === 0 ? "all" : `all but ${silent}`}`
}
