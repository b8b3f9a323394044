import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import type * as Lane from "../../endpoint/Lane.ts"
import * as Param from "../../endpoint/Param.ts"
import { data } from "../fields.ts"

const Section = Schema.Struct({
  item: Field.text("Item of the form, such as `1A`."),
  title: Field.text(),
  summary: Field.text(),
  key_points: Schema.Array(Schema.String),
  word_count: Field.integer(),
}).annotations({ identifier: "SecSection" })

const Change = Schema.Struct({
  item: Field.text(),
  change: Field.text("The change in one sentence."),
  before: Field.text(),
  after: Field.text(),
  significance: Field.text("`low`, `medium` or `high`."),
}).annotations({ identifier: "SecChange" })

/** A filing by section, with its changes since the previous one. In development: a deterministic mock in its final shape. */
export const filing = Endpoint.make({
  path: "/v1/sec/filing",
  ...data(5_000),
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
  results: Schema.Struct({
    filing: Schema.Struct({
      accession_number: Field.text(),
      cik: Field.text(),
      company: Field.text("Fictitious while in development."),
      form_type: Field.text(),
      filed_at: Field.instant(),
      period_of_report: Field.day(),
      source_url: Field.text(),
    }),
    sections: Schema.Array(Section),
    diff: Field.optional(
      Schema.Struct({
        prior_accession_number: Field.text(),
        prior_filed_at: Field.instant(),
        added: Schema.Array(Schema.String).annotations({ description: "Items missing in the prior filing." }),
        removed: Schema.Array(Schema.String).annotations({ description: "Items only in the prior filing." }),
        changed: Schema.Array(Change),
      }).annotations({ description: "Omitted with `diff=false`." }),
    ),
  }).annotations({ identifier: "SecFiling" }),
})

export const endpoints = { filing }

/** One method per endpoint of the lane. */
export interface FilingsMethods extends Lane.Methods<typeof endpoints> {}
