/** @jsxRuntime automatic @jsxImportSource preact */
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { type benchModels, benchOpinions } from "../../../core/lanes/markets/endpoints.ts"
import { count } from "../../../core/text.ts"
import { signed } from "../view/numbers.ts"
import { List, numeric } from "../view/parts.tsx"
import * as charts from "./charts.tsx"
import { type Difference, number, range } from "./verdict.ts"

/** The challengers in the order of their shared rows. */
export type Models = Endpoint.Results<typeof benchModels>["models"]
type Model = Models[number]

/** The most in the chart, and in the tables. */
const [mostDrawn, mostListed] = [12, 100]

export const hours = (seconds: number | undefined): string =>
  number(seconds === undefined ? undefined : seconds / 3_600, 1)

/** The page of a challenger. */
export const hrefOf = (model: string): string => `/scoreboard/challengers/${encodeURIComponent(model)}`

const nameOf = ({ model, status }: Model) => (
  <>
    <a href={hrefOf(model)}>{model}</a>
    {status === "withdrawn" && " (withdrawn)"}
  </>
)

const drawnDifferences = (models: Models): ReadonlyArray<Difference> =>
  models
    .flatMap(({ model, shared_rows: markets, difference_to_model: found }) =>
      found === undefined ? [] : [{ label: model, markets, ...found }],
    )
    .slice(0, mostDrawn)

/** A difference and its 95 % interval. */
const interval = (score: Model["difference_to_model"]): string =>
  score === undefined ? "–" : `${signed(number(score.estimate))} (${range(score)})`

/** Models of users against ours and the market, on the same markets. */
export const Challengers = ({ models }: { readonly models: Models }) => {
  const [listed, drawn] = [models.slice(0, mostListed), drawnDifferences(models)]
  if (listed.length === 0) {
    return (
      <section class="board">
        <h2>Challengers</h2>
        <p class="soft">
          No challenger yet. Any key may record the forecasts of its own model: POST {benchOpinions.path}. Free to
          enter. No prizes.
        </p>
      </section>
    )
  }
  return (
    <div class="board">
      <charts.Picture
        title="Challengers"
        words="User models, scored on the same settled markets as ours. Free to enter. No prizes."
        drawn={drawn.length === 0 ? undefined : charts.differences(drawn, ["challenger", "model"], false, hrefOf)}
      >
        <List
          caption="Brier scores on the shared markets; challenger minus model, and minus market, with the 95 % interval"
          rows={listed}
          columns={[
            ["Challenger", nameOf],
            [numeric("Score"), ({ brier }) => number(brier)],
            [numeric("Model"), ({ brier_model }) => number(brier_model)],
            [numeric("Market"), ({ brier_market }) => number(brier_market)],
            [numeric("Minus model"), ({ difference_to_model }) => interval(difference_to_model)],
            [numeric("Minus market"), ({ difference_to_market }) => interval(difference_to_market)],
          ]}
        />
        <List
          caption="Markets; mean hours from the scored opinions and from the captures to the close; models of the same account, this one included"
          rows={listed}
          columns={[
            ["Challenger", nameOf],
            [numeric("Shared"), (model) => count(model.shared_rows)],
            [numeric("Not scored"), (model) => count(model.unscored_rows)],
            [numeric("Opinions"), (model) => hours(model.lead_seconds)],
            [numeric("Captures"), (model) => hours(model.capture_lead_seconds)],
            [numeric("Entered"), (model) => count(model.account_models_entered)],
            [numeric("Withdrawn"), (model) => count(model.account_models_withdrawn)],
          ]}
        />
        {models.length > listed.length && (
          <p class="soft">
            The first {count(listed.length)} of {count(models.length)}; all of them:{" "}
            <a href="/v1/bench/models">/v1/bench/models</a>.
          </p>
        )}
      </charts.Picture>
    </div>
  )
}
