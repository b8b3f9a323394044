/** @jsxRuntime automatic @jsxImportSource preact */
import type { Receipt } from "../../../core/lanes/markets/challenge/Challenge.ts"
import { methodology } from "../../../core/lanes/markets/challenge/endpoints.ts"
import { probabilityScale } from "../../../core/record/scoreboard/calibration.ts"
import { toMarketProbability } from "../../../core/record/scoreboard/Settled.ts"
import { count } from "../../../core/text.ts"
import { hour, iso, minute } from "../../../core/time.ts"
import type { Site } from "../../server/http/Site.ts"
import { resultNames, Said } from "../record/parts.tsx"
import { pageScript } from "../view/assets.ts"
import { dayText, timeText } from "../view/dates.ts"
import { percent, signed } from "../view/numbers.ts"
import { page as framed } from "../view/Page.tsx"
import { Facts, Table } from "../view/parts.tsx"
import { hours, hrefOf, type Models } from "./Challengers.tsx"
import * as charts from "./charts.tsx"
import { EntryLink, marketWords } from "./markets/MarketsPage.tsx"
import { columns } from "./tables.tsx"
import { type Difference, demonstration, duel, number } from "./verdict.ts"

type Model = Models[number]

export const template = "/scoreboard/challengers/:model"

/** Opinions of one page. */
export const perPage = 25

const leadWords = (lead: number): string =>
  lead < hour ? `${Math.round(lead / minute)} min` : `${(lead / hour).toFixed(1)} h`

const ReceiptLine = ({ receipt, hasEntries }: { readonly receipt: Receipt; readonly hasEntries: boolean }) => {
  const { at, closeTime, p, ticker, row, id } = receipt
  return (
    <li>
      <time datetime={iso(at)}>{timeText(at)}</time> · {row === undefined ? ticker : marketWords(row)}: said{" "}
      <strong>{percent(p / probabilityScale)}</strong>
      {row !== undefined && (
        <>
          , <Said model={row.model} market={row.quotes && toMarketProbability(row.quotes)} />,{" "}
          <strong>{resultNames[row.result]}</strong>
        </>
      )}
      ; {leadWords((row?.closeTime ?? closeTime) - at)} before the close {hasEntries && <EntryLink id={id} />}
    </li>
  )
}

const differencesOf = ({ difference_to_model, difference_to_market, shared_rows: markets }: Model) =>
  (
    [
      ["our model", difference_to_model],
      ["the market", difference_to_market],
    ] as const
  ).flatMap(([label, found]): ReadonlyArray<Difference> => (found === undefined ? [] : [{ label, markets, ...found }]))

/** Whether a challenger is ahead of our model, in one sentence. */
export const challengerVerdict = ({ brier, brier_model, difference_to_model, shared_rows }: Model): string =>
  brier === undefined || brier_model === undefined
    ? "No settled market is shared yet."
    : duel({
        over: `over ${count(shared_rows)} shared markets`,
        one: { subject: "The challenger", whose: "its" },
        other: { subject: "Our model", whose: "our model's" },
        ...{ score: brier, against: brier_model, difference: difference_to_model },
      })

interface Props {
  readonly model: Model
  readonly receipts: ReadonlyArray<Receipt>
  /** Whether older ones follow. */
  readonly isMore: boolean
  readonly isFirst: boolean
  readonly isDemo: boolean
  /** Whether the record has the opinions' entries. */
  readonly hasEntries: boolean
}

const Scores = ({ model }: { readonly model: Model }) => {
  const differences = differencesOf(model)
  return (
    <charts.Picture
      title="Difference of Brier scores"
      words="Challenger minus the other, with 95 % intervals; left of zero the challenger is ahead, and intervals that cross zero are not significant."
      drawn={differences.length === 0 ? undefined : charts.differences(differences, ["challenger", "other"], false)}
    >
      <Table
        caption="Brier scores on the shared markets; challenger minus the other and its 95 % interval"
        columns={columns("Forecaster", "Score", "Difference", "From", "To")}
        rows={(
          [
            ["Challenger", model.brier, undefined],
            ["Our model", model.brier_model, model.difference_to_model],
            ["Market", model.brier_market, model.difference_to_market],
          ] as const
        ).map(([name, score, found]) => [
          name,
          number(score),
          signed(number(found?.estimate)),
          signed(number(found?.low)),
          signed(number(found?.high)),
        ])}
      />
    </charts.Picture>
  )
}

/** A challenger with its scores, its lead times and its opinions, each with its entry of the record. */
export const challengerPage = ({ model, receipts, isMore, isFirst, isDemo, hasEntries }: Props, site: Site): string => {
  const last = receipts.at(-1)
  return framed(
    {
      title: `Challenger ${model.model}`,
      description: challengerVerdict(model),
      path: hrefOf(model.model),
      script: pageScript,
    },
    site,
    <div class="board">
      <h1>Challenger {model.model}</h1>
      {isDemo && <p class="notice">{demonstration}</p>}
      <p class="lead">{challengerVerdict(model)}</p>
      <Facts
        of={{
          State:
            model.status === "active"
              ? "active"
              : `withdrawn ${model.withdrawn_at === undefined ? "" : dayText(model.withdrawn_at)}`,
          "First opinion": <time datetime={model.since}>{dayText(model.since)}</time>,
          "Shared markets": count(model.shared_rows),
          "Markets not scored": count(model.unscored_rows),
          "Mean time to the close": `${hours(model.lead_seconds)} h; our captures ${hours(model.capture_lead_seconds)} h`,
          "Models of its account": `${count(model.account_models_entered)} entered, ${count(model.account_models_withdrawn)} withdrawn`,
        }}
      />
      <Scores model={model} />
      <section>
        <h2>Opinions</h2>
        <p class="soft">On markets that have closed, newest first.</p>
        <details>
          <summary>How opinions are scored</summary>
          <p>{methodology}</p>
        </details>
        {receipts.length === 0 ? (
          <p>None yet.</p>
        ) : (
          <ol class="entries">
            {receipts.map((receipt) => (
              <ReceiptLine key={receipt.id} receipt={receipt} hasEntries={hasEntries} />
            ))}
          </ol>
        )}
        <p class="actions">
          <a href="/scoreboard">Scoreboard</a>
          {!isFirst && <a href={hrefOf(model.model)}>Newest</a>}
          {isMore && last !== undefined && <a href={`${hrefOf(model.model)}?before=${last.at}.${last.seq}`}>Older</a>}
        </p>
      </section>
    </div>,
  )
}
