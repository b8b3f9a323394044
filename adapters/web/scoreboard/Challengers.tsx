/** @jsxRuntime automatic @jsxImportSource preact */
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { type benchModels, benchOpinions } from "../../../core/lanes/markets/endpoints.ts"
import { count } from "../../../core/text.ts"
import { signed } from "../view/numbers.ts"
import { Table } from "../view/parts.tsx"
import * as charts from "./charts.tsx"
import { columns } from "./tables.tsx"
import { type Difference, number } from "./verdict.ts"

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

const Intervals = ({
  models,
  than,
  of,
}: {
  readonly models: Models
  readonly than: string
  readonly of: (model: Model) => Model["difference_to_model"]
}) => (
  <Table
    caption={`Challenger minus ${than}: difference of Brier scores and its 95 % interval`}
    columns={columns("Challenger", "Difference", "From", "To")}
    rows={models.map((model) => {
      const score = of(model)
      return [nameOf(model), signed(number(score?.estimate)), signed(number(score?.low)), signed(number(score?.high))]
    })}
  />
)

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
        <Table
          caption="Brier scores on the shared markets"
          columns={columns("Challenger", "Score", "Model", "Market")}
          rows={listed.map((model) => [
            nameOf(model),
            number(model.brier),
            number(model.brier_model),
            number(model.brier_market),
          ])}
        />
        <Intervals models={listed} than="model" of={(model) => model.difference_to_model} />
        <Intervals models={listed} than="market" of={(model) => model.difference_to_market} />
        <Table
          caption="Markets, and mean hours from the scored opinions and from the captures to the close"
          columns={columns("Challenger", "Shared", "Not scored", "Opinions", "Captures")}
          rows={listed.map((model) => [
            nameOf(model),
            count(model.shared_rows),
            count(model.unscored_rows),
            hours(model.lead_seconds),
            hours(model.capture_lead_seconds),
          ])}
        />
        <Table
          caption="Models of the same account, this one included"
          columns={columns("Challenger", "Entered", "Withdrawn")}
          rows={listed.map((model) => [
            nameOf(model),
            count(model.account_models_entered),
            count(model.account_models_withdrawn),
          ])}
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
