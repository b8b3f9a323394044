import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import { plural } from "../../text.ts"
import type { Filed } from "./fields.ts"

const Change = Schema.Struct({
  item: Field.text(),
  change: Field.text("The change in one sentence."),
  before: Field.text(),
  after: Field.text(),
  significance: Field.text("`low`, `medium` or `high`."),
}).annotations({ identifier: "SecChange" })

export const Diff = Schema.Struct({
  prior_accession_number: Field.text(),
  prior_filed_at: Field.instant(),
  added: Schema.Array(Schema.String).annotations({ description: "Items missing in the prior filing." }),
  removed: Schema.Array(Schema.String).annotations({ description: "Items only in the prior filing." }),
  changed: Schema.Array(Change),
}).annotations({ description: "Omitted with `diff=false`." })
type Diff = typeof Diff.Encoded
type Section = Filed["sections"][number]

const countPoints = (n: number, what: string): string => `${plural(n, "key point")} ${what}`

/** The share of a section that changed, by its key points or by its length, whichever is larger. */
const toChangedShare = (before: Section, after: Section, moved: number): number =>
  Math.max(
    moved / Math.max(1, before.key_points.length + after.key_points.length),
    Math.abs(after.word_count - before.word_count) / Math.max(1, before.word_count),
  )

const compareSections = (before: Section, after: Section): Diff["changed"][number] | undefined => {
  const came = after.key_points.filter((point) => !before.key_points.includes(point)).length
  const went = before.key_points.filter((point) => !after.key_points.includes(point)).length
  if (came + went === 0) return undefined
  const share = toChangedShare(before, after, came + went)
  const words = after.word_count - before.word_count
  return {
    item: after.item,
    change: `${countPoints(came, "added")}, ${countPoints(went, "removed")}, ${Math.abs(words)} words ${words < 0 ? "fewer" : "more"}.`,
    before: before.summary,
    after: after.summary,
    significance: share >= 0.5 ? "high" : share >= 0.2 ? "medium" : "low",
  }
}

export const compareFilings = (prior: Filed, current: Filed): Diff => {
  const priorSections = new Map(prior.sections.map((section) => [section.item, section]))
  const items = new Set(current.sections.map(({ item }) => item))
  return {
    prior_accession_number: prior.filing.accession_number,
    prior_filed_at: prior.filing.filed_at,
    added: current.sections.flatMap(({ item }) => (priorSections.has(item) ? [] : [item])),
    removed: prior.sections.flatMap(({ item }) => (items.has(item) ? [] : [item])),
    changed: current.sections.flatMap((section) => {
      const other = priorSections.get(section.item)
      const change = other === undefined ? undefined : compareSections(other, section)
      return change === undefined ? [] : [change]
    }),
  }
}
