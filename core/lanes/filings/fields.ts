import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"

export const Filing = Schema.Struct({
  accession_number: Field.text(),
  cik: Field.text(),
  company: Field.text("Fictitious while in development."),
  form_type: Field.text(),
  filed_at: Field.instant(),
  period_of_report: Field.day(),
  source_url: Field.text(),
})

export const Section = Schema.Struct({
  item: Field.text("Item of the form, such as `1A`."),
  title: Field.text(),
  summary: Field.text(),
  key_points: Schema.Array(Schema.String),
  word_count: Field.integer(),
}).annotations({ identifier: "SecSection" })

/** A filing and its sections, in the order of the form. */
export interface Filed {
  readonly filing: typeof Filing.Encoded
  readonly sections: ReadonlyArray<typeof Section.Encoded>
}
