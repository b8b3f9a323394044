import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { change, notFound } from "../answers.ts"
import { endpoints, type FilingsMethods, type filing } from "./endpoints.ts"
import { type Filed, FilingArchive } from "./ports.ts"

type Diff = NonNullable<Endpoint.Results<typeof filing>["diff"]>
type Section = Filed["sections"][number]

const count = (n: number, what: string): string => `${plural(n, "key point")} ${what}`

/** The changed share of a section: of its key points or of its length, whichever is larger. */
const turnover = (before: Section, after: Section, moved: number): number =>
  Math.max(
    moved / Math.max(1, before.key_points.length + after.key_points.length),
    Math.abs(after.word_count - before.word_count) / Math.max(1, before.word_count),
  )

const changeOf = (before: Section, after: Section): Diff["changed"][number] | undefined => {
  const came = after.key_points.filter((point) => !before.key_points.includes(point)).length
  const went = before.key_points.filter((point) => !after.key_points.includes(point)).length
  if (came + went === 0) return undefined
  const share = turnover(before, after, came + went)
  const words = after.word_count - before.word_count
  return {
    item: after.item,
    change: `${count(came, "added")}, ${count(went, "removed")}, ${Math.abs(words)} words ${words < 0 ? "fewer" : "more"}.`,
    before: before.summary,
    after: after.summary,
    significance: share >= 0.5 ? "high" : share >= 0.2 ? "medium" : "low",
  }
}

/** The changes from one filing to the next, item by item. Deterministic. */
export const diff = (prior: Filed, current: Filed): Diff => {
  const before = new Map(prior.sections.map((section) => [section.item, section]))
  const items = new Set(current.sections.map(({ item }) => item))
  return {
    prior_accession_number: prior.filing.accession_number,
    prior_filed_at: prior.filing.filed_at,
    added: current.sections.flatMap(({ item }) => (before.has(item) ? [] : [item])),
    removed: prior.sections.flatMap(({ item }) => (items.has(item) ? [] : [item])),
    changed: current.sections.flatMap((section) => {
      const other = before.get(section.item)
      const change = other === undefined ? undefined : changeOf(other, section)
      return change === undefined ? [] : [change]
    }),
  }
}

export class Filings extends Context.Tag("market-signals/core/lanes/Filings")<Filings, FilingsMethods>() {
  static readonly lane: Lane.Lane<"filings", typeof endpoints, Filings> = Lane.make(
    "filings",
    endpoints,
    Filings,
    "Summaries of filings, in development.",
  )

  static readonly layer: Layer.Layer<Filings, never, FilingArchive> = Layer.suspend(() => layer)
}

const layer = Layer.effect(
  Filings,
  Effect.map(FilingArchive, (archive) =>
    Filings.of(
      Rounding.methods(endpoints, {
        filing: Step.method(function* ({ accession_number, diff: wanted }) {
          const filed = yield* archive.get(accession_number)
          if (filed === undefined) {
            return yield* notFound(
              `There is no filing ${accession_number}.`,
              change("accession_number", "Use an existing accession number."),
            )
          }
          const prior = wanted ? yield* archive.prior(filed) : undefined
          const { filing, sections } = filed
          const read = `Read ${filing.form_type} ${accession_number} of ${filing.company}, ${sections.length} sections.`
          return {
            results: { filing, sections, ...(prior === undefined ? {} : { diff: diff(prior, filed) }) },
            reasoning: [
              read,
              ...(prior === undefined
                ? wanted
                  ? [`No earlier ${filing.form_type} of this company to compare with.`]
                  : []
                : [`Compared item by item with the previous ${filing.form_type}, ${prior.filing.accession_number}.`]),
            ],
            citations: [
              { step: 1, source: filing.source_url, locator: accession_number },
              ...(prior === undefined
                ? []
                : [{ step: 2, source: prior.filing.source_url, locator: prior.filing.accession_number }]),
            ],
            confidence: { score: 0.5, label: "reasoned", factors: ["in development: generated filing"] },
            links: [
              { id: accession_number, endpoints: [`/v1/sec/filing?accession_number=${accession_number}`] },
              ...(prior === undefined
                ? []
                : [
                    {
                      id: prior.filing.accession_number,
                      endpoints: [`/v1/sec/filing?accession_number=${prior.filing.accession_number}`],
                    },
                  ]),
            ],
            freshness: archive.freshness,
          }
        }),
      }),
    ),
  ),
)
