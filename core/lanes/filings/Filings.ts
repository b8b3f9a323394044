import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import * as Step from "../../Step.ts"
import { change, notFound } from "../answers.ts"
import { diff } from "./diff.ts"
import { endpoints, type FilingsMethods } from "./endpoints.ts"
import { FilingArchive } from "./ports.ts"

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
