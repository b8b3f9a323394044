/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { usd } from "../../../../core/account/Money.ts"
import { watched } from "../../../../core/alerts/fields.ts"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { LaneSets } from "../../../../core/endpoint/LaneSets.ts"
import { type DataOf, example } from "../../../../core/events/Event.ts"
import { buildMessage } from "../../../../core/events/message.ts"
import { edge, settled } from "../../../../core/lanes/markets/endpoints.ts"
import { settlement, history as settlementHistory } from "../../../../core/lanes/weather/endpoints.ts"
import { type Domain, domains } from "../../../../core/record/scoreboard/Settled.ts"
import * as Step from "../../../../core/Step.ts"
import { count, plural } from "../../../../core/text.ts"
import { day, dayOf, iso } from "../../../../core/time.ts"
import { guidePath } from "../../../describe/guides.ts"
import { titleWords } from "../../subjects/words.ts"
import { addressWith } from "../../view/addresses.ts"
import { dayText } from "../../view/dates.ts"
import { domainNames } from "../../view/filters.tsx"
import { Code, List, numeric, Sample } from "../../view/parts.tsx"
import { edgeLevel, type Kind, plain, thresholdOf } from "./alertKinds.ts"

export const newAlertPath = "/dashboard/alerts/new"

/** Days that a preview looks back. */
const lookBack = 30
/** Settled contracts that it reads at most: pages, and contracts of a page. */
const [pages, perPage] = [6, 500]

/** An answer of the lanes of live keys. Nobody asks for it, and nothing is charged: the form shows a count of it alone. */
const answered = <E extends Endpoint.Any>({ id }: E, params: unknown) =>
  Effect.map(
    Effect.flatMap(LaneSets, ({ live }) => Step.run(live.get(id)!(params))),
    ({ results, freshness }) => ({ results: results as Endpoint.Results<E>, isSample: freshness === "mock" }),
  )

type SettledContract = Endpoint.Results<typeof settled>["rows"][number]

const hasEdge = ({ model_prob: model, market_prob: market }: SettledContract, points: number): boolean =>
  Math.abs(model - market) * edgeLevel.scale >= points - 1e-9

/** Settled contracts with their last capture, newest first, and since when they were read. */
const readEdges = (domain: string, from: number) =>
  Effect.gen(function* () {
    const contracts: Array<SettledContract> = []
    let before: string | undefined
    for (let page = 0; ; page++) {
      const { results, isSample } = yield* answered(settled, { domain, limit: perPage, before })
      contracts.push(...results.rows.filter(({ close_time }) => Date.parse(close_time) >= from))
      before = results.next_before
      const isOver = before === undefined || Date.parse(before) <= from
      if (isOver || page === pages) return { contracts, since: isOver ? from : Date.parse(before!), isSample }
    }
  })

const domainName = (domain: string): string => domainNames[domain as Domain] ?? domain

/** Edges of which the preview counts the contracts, in points. */
const levels = [5, 8, 10, 15, 20]

/** How many contracts had an edge of each level, and of the one that is shown in the form. */
const countedEdges = (
  { contracts, since, isSample }: Effect.Effect.Success<ReturnType<typeof readEdges>>,
  subject: string,
  shown: string,
  price: number,
) => {
  const own = thresholdOf(edgeLevel, shown) === undefined ? [] : [Number(shown)]
  const firings = (points: number) => contracts.filter((each) => hasEdge(each, points)).length
  const to = (points: number | undefined, domain = subject) =>
    addressWith(newAlertPath, {
      call: addressWith(edge.path, { domain }),
      threshold: points === undefined ? undefined : thresholdOf(edgeLevel, String(points)),
    })
  const sum = own.map((points) => (
    <span key={points}>
      At {plural(points, "point")} it would have fired <strong>at least {plural(firings(points), "time")}</strong> since{" "}
      {dayText(since)}, for {usd(firings(points) * price)}.
    </span>
  ))
  const more = (
    <>
      <h2>How often it would have fired</h2>
      <p>
        {count(contracts.length)} {domainName(subject).toLowerCase()} contracts have settled since {dayText(since)}.
        Counted are those with such an edge when last recorded. <Sample isSample={isSample} />
      </p>
      <List
        caption="Choose an edge"
        isCards={false}
        rows={[...new Set([...levels, ...own])].sort((one, other) => one - other)}
        columns={[
          [
            "Edge",
            (points) => (
              <a href={to(points)} {...(own.includes(points) ? { "aria-current": "true" as const } : {})}>
                {plural(points, "point")}
              </a>
            ),
          ],
          [numeric("Firings"), (points) => count(firings(points))],
          [numeric("Cost"), (points) => usd(firings(points) * price, 2)],
        ]}
      />
      <p class="actions">
        Other contracts:
        {domains.map((each) => each !== subject && <a href={to(own[0], each)}>{domainName(each)}</a>)}
      </p>
    </>
  )
  return { sum, more, newest: own.flatMap((points) => contracts.find((each) => hasEdge(each, points)) ?? [])[0] }
}

/** A settled contract as an answer of the watched call would list it, and its change. */
const firedBy = ({ market_ticker: market, title, venue, model_prob, market_prob }: SettledContract) => ({
  change: { subject: market, value: plain(Math.abs(model_prob - market_prob)) },
  results: {
    count: 1,
    edges: [{ market, title, venue, model_prob, market_prob, edge: plain(model_prob - market_prob) }],
  },
})

/**
 * A firing at the threshold of the form, as it is sent.
 *
 * @param contract whose values it has; absent: they are an example
 */
export const FiringPreview = ({
  kind: { name, endpoint, level, measure, ...kind },
  subject,
  shown,
  now,
  contract,
}: {
  readonly kind: Kind
  readonly subject: string
  readonly shown: string
  readonly now: number
  readonly contract: SettledContract | undefined
}) => {
  const sent = example("alert.fired")
  const data = sent.data as DataOf<"alert.fired">
  const [what, before] = measure
  const threshold = level === undefined ? undefined : thresholdOf(level, shown)
  const past = contract && firedBy(contract)
  const change =
    past?.change ??
    (before === undefined
      ? { subject: `${subject} ${dayOf(now)}`, value: `${dayOf(now)}, revision 1` }
      : { subject: endpoint === edge ? data.changes[0]!.subject : subject, value: plain(before + (threshold ?? 0)) })
  const fired = {
    ...data,
    name,
    kind: before === undefined ? "report" : endpoint === edge ? "edge" : "move",
    call: addressWith(endpoint.path, { [kind.subject.name]: subject }),
    threshold,
    unit: watched[endpoint.path],
    changes: [{ ...change, measure: what, ...(before === undefined || before === 0 ? {} : { before }) }],
    results: past?.results ?? {},
  }
  const body = { ...sent, timestamp: iso(now), livemode: true, data: fired }
  const message = buildMessage(JSON.stringify(body), "")
  return (
    <>
      <h2>What a firing sends</h2>
      <div class="card">
        <strong>{message.subject}</strong>
        <p>{titleWords(message.text.split("\n\n")[0]!)}</p>
      </div>
      <details>
        <summary>The same for programs</summary>
        <Code text={JSON.stringify(body, null, 2)} lang="json" />
      </details>
      <p class="soft">
        {contract === undefined
          ? "Values are an example."
          : "Values are of the newest settled contract with such an edge."}{" "}
        <a href={guidePath("webhooks")}>What is sent</a>
      </p>
    </>
  )
}

interface Past {
  /** For the form. */
  readonly sum?: ComponentChildren
  readonly more?: ComponentChildren
  readonly newest?: SettledContract | undefined
}

/** How often an alert would have fired, where the past is on record. */
export const readPast = (kind: Kind, subject: string, shown: string, price: number, now: number) =>
  Effect.gen(function* () {
    const from = now - lookBack * day
    if (kind.subject.kind._tag !== "Choice" || !kind.subject.kind.values.includes(subject)) return undefined
    if (kind.endpoint === settlement) {
      const { results, isSample } = yield* answered(settlementHistory, {
        ...{ station: subject, start: dayOf(from), end: dayOf(now - day) },
      })
      const past: Past = {
        sum: (
          <>
            It would have fired <strong>at least {plural(results.count, "time")}</strong> since {dayText(from)}, for{" "}
            {usd(results.count * price)}: {results.station.city} had {plural(results.count, "daily report")}, not
            counting corrections. <Sample isSample={isSample} />
          </>
        ),
      }
      return past
    }
    if (kind.endpoint !== edge) return undefined
    return countedEdges(yield* readEdges(subject, from), subject, shown, price)
  }).pipe(
    // An alert can be made while its lane is down.
    Effect.catchAll(({ message }) =>
      Effect.succeed<Past>({ more: <p class="soft">How often it would have fired: {message}</p> }),
    ),
  )
