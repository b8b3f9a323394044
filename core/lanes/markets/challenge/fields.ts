import * as Schema from "effect/Schema"
import * as Field from "../../../endpoint/Field.ts"
import * as Param from "../../../endpoint/Param.ts"
import { count } from "../../../text.ts"
import { estimateFields } from "../../fields.ts"
import { Domain } from "../scoreFields.ts"
import { maxDailyOpinions, maxModels, maxOpinionsPerCall } from "./Challenge.ts"

export const modelParam = Param.lowerCasePattern(
  /^[a-z0-9][a-z0-9._-]{2,39}$/,
  "3 to 40 letters, digits, '-', '_' and '.', the first a letter or digit",
  "The model's public name, in lower case; it belongs to the account that used it first.",
)

const name = Field.text("The model's name.")
const recorded = Field.boolean("False if nothing was recorded: with a test key, or where the lane is not live.")
const reason = Field.optional(Field.text("Why nothing was recorded, and the next step; omitted otherwise."))

/** The practice contract of the generated world, which never closes. */
export const practiceTicker = "PRACTICE-OPEN"

export const ContractList = Schema.Struct({
  domain: Domain,
  count: Field.integer(),
  contracts: Schema.Array(
    Schema.Struct({
      market: Field.text("The venue's ticker."),
      venue: Field.text(),
      title: Field.text(),
      close_time: Field.instant("The announced end of trading."),
    }).annotations({ identifier: "BenchContract" }),
  ).annotations({ description: "Earliest close first." }),
}).annotations({ identifier: "BenchContracts" })
export type ContractList = typeof ContractList.Encoded

export const OpinionsRequest = Schema.Struct({
  model: modelParam,
  opinions: Schema.Array(
    Schema.Struct({
      market: Param.text(200, "An open contract of `/v1/bench/contracts`."),
      venue: Param.optional(Param.text(40, "The venue, needed if two list the same ticker.")),
      prob: Param.number(0, 1, "Probability of yes, kept in whole millionths."),
    }).annotations({ parseOptions: { onExcessProperty: "error" } }),
  )
    .pipe(Schema.minItems(1), Schema.maxItems(maxOpinionsPerCall))
    .annotations({
      description: `On 1 to ${maxOpinionsPerCall} contracts; all are recorded, or none. At most ${count(maxDailyOpinions)} per account and UTC day, from at most ${maxModels} models.`,
    }),
})
export type OpinionsRequest = typeof OpinionsRequest.Type

export const OpinionsResult = Schema.Struct({
  model: name,
  recorded,
  reason,
  count: Field.integer(),
  opinions: Schema.Array(
    Schema.Struct({
      market: Field.text(),
      venue: Field.text(),
      prob: Field.probability("As recorded."),
      close_time: Field.instant("The announced end of trading. The leaf is sealed until then."),
      next_capture_at: Field.optional(
        Field.instant(
          "The next scheduled capture of model and market. The opinion is compared with captures from its own time on. Omitted if nothing was recorded, or if the contract closes before: then only a call of its signal with a live key captures it.",
        ),
      ),
      leaf_id: Field.optional(
        Field.text(
          "Id of its leaf in the record; the earlier leaf if the model's last opinion on the contract was the same.",
        ),
      ),
    }).annotations({ identifier: "BenchOpinion" }),
  ),
  shared_rows: Field.integer("Settled contracts on which this model and ours are scored so far."),
  opinions_left: Field.optional(Field.integer("How many more opinions the account may record in this UTC day.")),
}).annotations({ identifier: "BenchOpinions" })
export type OpinionsResult = typeof OpinionsResult.Encoded

export const Withdrawal = Schema.Struct({
  model: name,
  recorded,
  reason,
  status: Schema.Literal("withdrawn"),
  withdrawn_at: Field.optional(Field.instant()),
}).annotations({ identifier: "BenchWithdraw" })
export type Withdrawal = typeof Withdrawal.Encoded

const difference = (than: string) =>
  Field.optional(
    Schema.Struct(estimateFields("Negative: the challenger is ahead.")).annotations({
      identifier: `BenchDifference${than}`,
      description: "Difference of the Brier scores on the shared rows; omitted while all belong to one event.",
    }),
  )

const brier = (description: string) =>
  Field.optional(Field.quantity("ratio", `${description} Lower is better; omitted without a shared row.`))

export const ModelTable = Schema.Struct({
  as_of: Field.instant("When the last contract settled."),
  count: Field.integer(),
  models: Schema.Array(
    Schema.Struct({
      model: name,
      status: Schema.Literal("active", "withdrawn"),
      since: Field.instant("Time of its first opinion."),
      withdrawn_at: Field.optional(Field.instant()),
      account_models_entered: Field.integer("Models that its account has ever entered, this one included."),
      account_models_withdrawn: Field.integer("How many of them the account withdrew."),
      shared_rows: Field.integer("Settled contracts on which this model and ours are scored."),
      unscored_rows: Field.integer(
        "Settled contracts on which each of its opinions is newer than the capture or not anchored before the close.",
      ),
      lead_seconds: Field.optional(
        Field.quantity("seconds", "Mean time from its scored opinions to the close; omitted without a shared row."),
      ),
      capture_lead_seconds: Field.optional(
        Field.quantity("seconds", "Mean time from the captures of model and market on these rows to the close."),
      ),
      brier: brier("The challenger's score."),
      brier_model: brier("Our models' score on the same rows."),
      brier_market: brier("The market's score on the same rows."),
      difference_to_model: difference("Model"),
      difference_to_market: difference("Market"),
    }).annotations({ identifier: "BenchModel" }),
  ).annotations({ description: "Most shared rows first, then by name; withdrawn models included." }),
  methodology: Field.text("The rule by which an opinion is scored."),
}).annotations({ identifier: "BenchModels" })
export type ModelTable = typeof ModelTable.Encoded
