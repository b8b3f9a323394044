import * as Schema from "effect/Schema"
import * as Field from "../../../endpoint/Field.ts"

/** How the venue's settlement source agrees with a station's reports. */
export const SettlementAgreement = Schema.Struct({
  source: Field.text("The venue's settlement source."),
  compared: Field.integer(
    "Highs and lows that both state: its first official ones and those of the first final report.",
  ),
  equal: Field.integer(),
  within_one: Field.integer("Equal, or a degree apart."),
  missing: Field.integer("Days with a final report, of which it states nothing official."),
  equal_low: Field.optional(Field.quantity("ratio", "95 % interval of the share of equal values (Wilson).")),
  equal_high: Field.optional(Field.quantity("ratio")),
  differences: Schema.Array(
    Schema.Struct({
      day: Field.day(),
      extreme: Schema.Literal("high", "low"),
      report: Field.integer("Degrees Fahrenheit."),
      venue: Field.integer("Degrees Fahrenheit."),
    }).annotations({ identifier: "SettlementDifference" }),
  ),
}).annotations({
  identifier: "SettlementAgreement",
  description: "Of stored values; omitted while none of the venue's source is stored.",
})
