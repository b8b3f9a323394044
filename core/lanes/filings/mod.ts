/**
 * The filings lane: its endpoint, port and service.
 *
 * @module
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step, when } from "../../endpoint/explain.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import * as Port from "../../endpoint/Port.ts"
import type { Failure } from "../../Failure.ts"
import { change, notFound } from "../answers.ts"
import { dataTerms } from "../fields.ts"
import * as Lane from "../Lane.ts"
import { compareFilings, Diff } from "./diff.ts"
import { type Filed, Filing, Section } from "./fields.ts"

export type { Filed } from "./fields.ts"

/** Read port: filings by accession number. */
export const FilingArchive = Port.define("filings/FilingArchive")<{
  /** Undefined for an unknown filing. */
  readonly get: (accessionNumber: string) => Effect.Effect<Filed | undefined, Failure>
  /** The previous filing of the same company and form type. */
  readonly prior: (filed: Filed) => Effect.Effect<Filed | undefined, Failure>
}>()

const toFilingLink = (id: string) => ({ id, endpoints: [`/v1/sec/filing?accession_number=${id}`] })

/** A filing by section, with its changes since the previous one. In development: a deterministic mock in its final shape. */
export const filing = Endpoint.make("/v1/sec/filing", {
  ...dataTerms(5_000),
  status: "development",
  summary: "Structured summary of a filing with its changes since the prior one",
  example: { accession_number: "0009999999-26-000042" },
  params: Schema.Struct({
    accession_number: Param.pattern(
      /^\d{10}-\d{2}-\d{6}$/,
      "##########-##-######: ten digits, a hyphen, two digits, a hyphen, six digits",
      "Accession number of the filing.",
      "invalid_accession_number",
    ),
    diff: Param.withDefault(Param.boolean("Diff against the prior filing of the same form type."), true),
  }),
  results: Schema.Struct({ filing: Filing, sections: Schema.Array(Section), diff: Field.optional(Diff) }).annotations({
    identifier: "SecFiling",
  }),
  ports: { archive: FilingArchive },
  answer: function* ({ accession_number, diff: wanted }, { archive }, give) {
    const filed = yield* archive.get(accession_number)
    if (filed === undefined) {
      return yield* notFound(
        `There is no filing ${accession_number}.`,
        change("accession_number", "Use an existing accession number."),
      )
    }
    const prior = wanted ? yield* archive.prior(filed) : undefined
    const { filing, sections } = filed
    const { form_type, company, source_url } = filing
    return give({
      results: { filing, sections, ...(prior && { diff: compareFilings(prior, filed) }) },
      explained: explain(
        step(
          `Read ${form_type} ${accession_number} of ${company}, ${sections.length} sections.`,
          cite(source_url, accession_number),
        ),
        when(prior, ({ filing: { accession_number, source_url } }) =>
          step(
            `Compared item by item with the previous ${form_type}, ${accession_number}.`,
            cite(source_url, accession_number),
          ),
        ),
        when(wanted && prior === undefined, () => `No earlier ${form_type} of this company to compare with.`),
      ),
      confidence: { score: 0.5, label: "reasoned", factors: ["in development: generated filing"] },
      links: [accession_number, ...(prior ? [prior.filing.accession_number] : [])].map(toFilingLink),
    })
  },
})

export const Filings = Lane.define("filings", {
  description: "Summaries of filings, in development.",
  endpoints: { filing },
})
