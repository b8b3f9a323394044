import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Field from "../../endpoint/Field.ts"
import { ifDefined } from "../../ifDefined.ts"
import { clusterName } from "../../record/scoreboard/cluster.ts"
import { plural } from "../../text.ts"
import { recorded } from "../confidence.ts"
import { proofTerms } from "../fields.ts"
import { makeLawFigures, makeLawResults, recordDays } from "../lawRecord.ts"
import { type Asset, assets } from "./fields.ts"
import { CryptoLaws } from "./ports.ts"

const rowFields = {
  horizon_minutes: Field.integer(),
  asset: Field.optional(Schema.Literal(...assets).annotations({ description: "Omitted for all assets together." })),
}

const computeFigures = makeLawFigures(assets, (target) =>
  clusterName({ domain: "crypto", closeTime: Date.parse(target) }),
)

export const performance = Endpoint.make("/v1/crypto/performance", {
  ...proofTerms,
  summary: "Track record of the hourly price distributions as issued, misses included",
  use: "How well `crypto_signal` has been calibrated, by horizon and asset.",
  example: {},
  params: Schema.Struct({}),
  results: makeLawResults("CryptoPerformance", rowFields, "volatility", "log return"),
  ports: { laws: CryptoLaws },
  answer: function* (_, { laws: record }, give) {
    const { laws, rows, results } = yield* computeFigures(record)
    return give({
      results: {
        ...results,
        rows: rows.map(({ part: { instrument, lead }, figures }) => ({
          horizon_minutes: lead,
          ...ifDefined("asset", instrument as Asset | undefined),
          ...figures,
        })),
      },
      explained: explain(
        step(
          `Scored ${plural(laws, "law")} of the last ${recordDays} days as issued: the capture of every hour against the tape's close at its horizon.`,
          cite("captures", "/v1/crypto/performance"),
        ),
      ),
      confidence: recorded(1, plural(laws, "scored law")),
    })
  },
})
