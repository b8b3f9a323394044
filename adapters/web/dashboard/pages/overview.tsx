/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { Environment } from "../../../../core/account/ApiKey.ts"
import { Calls } from "../../../../core/account/Calls.ts"
import { usd } from "../../../../core/account/Money.ts"
import { Usage } from "../../../../core/account/Usage.ts"
import type * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { charge } from "../../../../core/endpoint/Endpoint.ts"
import { codes } from "../../../../core/Failure.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { count, plural } from "../../../../core/text.ts"
import { day, dayOf, hour } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { attention, type Named } from "../../condition/Condition.ts"
import { addressWith, playground } from "../../view/addresses.ts"
import { clock, monthText } from "../../view/dates.ts"
import { Figure, numeric } from "../../view/parts.tsx"
import { plot } from "../../view/plot.tsx"
import { Attention, lines } from "../Attention.tsx"
import { Live } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { countedIn, modeIn, modes, withMode } from "../mode.tsx"
import { namesIn } from "../names.ts"
import { ofAccount, type Page } from "../Page.ts"
import { addUp, bySpan, isFailed, makeAxis, monthAndToday, paceFrom, startOfDayAndMonth, timeLeft } from "../spend.ts"
import { readStops, urgentOfAccount, urgentStops } from "../urgent.ts"
import { WalletCard } from "../WalletCard.tsx"
import { callsPath, isCode } from "./call.tsx"
import { CallList, makeCall } from "./calls.tsx"

/** Newest answers whose latency is shown, and newest failures whose causes are. */
const newest = 200

/** Fewer answers have no 95th percentile. */
const leastAnswers = 20

const ofMode = (mode: Environment | undefined) => ifDefined("environment", mode)

/** The beginning of the 24 hours that end with the one that is under way. */
const lastHoursFrom = (now: number): number => now - (now % hour) + hour - day

/** The usage of this month, of the days of the pace, and by the hour of the last 24 and of the same ones a week ago. */
const readUsage = (accountId: string, now: number, livemode: boolean | undefined) =>
  Effect.gen(function* () {
    const { sums } = yield* Usage
    const { today, month } = startOfDayAndMonth(now)
    const query = { to: today + day, group: "status", ...ifDefined("livemode", livemode) } as const
    const days = yield* sums(accountId, { ...query, from: Math.min(month, paceFrom(now)), span: "day" })
    const from = lastHoursFrom(now)
    const hoursFrom = (from: number) => sums(accountId, { ...query, from, to: from + day, span: "hour" })
    return {
      ...monthAndToday(days, now),
      days,
      hours: yield* hoursFrom(from),
      before: yield* hoursFrom(from - 7 * day),
    }
  })

type Used = Effect.Effect.Success<ReturnType<typeof readUsage>>

/** The 95th percentile of the latency of the newest calls that were answered, by nearest rank; ms. */
const readLatency = (accountId: string, mode: Environment | undefined) =>
  Effect.map(
    Effect.flatMap(Calls, ({ page }) => page(accountId, { status: 2, ...ofMode(mode) }, newest)),
    ({ rows }) => {
      const sorted = rows.map(({ latencyMs }) => latencyMs).sort((one, other) => one - other)
      return sorted.length < leastAnswers ? undefined : sorted[Math.ceil(0.95 * sorted.length) - 1]
    },
  )

/** The calls that failed today and yesterday, by the code of their error, the most first, with the way to them. */
const readFailures = (accountId: string, query: URLSearchParams, now: number) =>
  Effect.gen(function* () {
    const from = startOfDayAndMonth(now).today - day
    const { page } = yield* Calls
    const { rows, next } = yield* page(accountId, { status: "failed", from, ...ofMode(modeIn(query)) }, newest)
    const causes = new Map<string, number>()
    for (const { code = "", calls = 1 } of rows) causes.set(code, (causes.get(code) ?? 0) + calls)
    return [...causes]
      .sort(([, one], [, other]) => other - one)
      .map(([code, calls]): Named => {
        const cause = isCode(code) ? codes[code].message.replace(/\.$/, "") : code || "no reason is known"
        const href = withMode(addressWith("/dashboard/calls", { status: "failed", code, from: dayOf(from) }), query)
        return {
          name: `${plural(calls, "call")}${next === undefined ? "" : " or more"} since yesterday`,
          condition: attention("failed", cause, { label: "See calls", href }),
        }
      })
  })

const lastHours = "Calls of the last 24 hours"

/** Calls of the last 24 hours by the hour, those of a week ago behind them. */
export const byHour = ({ hours, before }: Pick<Used, "hours" | "before">, now: number) => {
  const from = lastHoursFrom(now)
  const inHours = (sums: Used["hours"], from: number) => bySpan(sums, from, from + day, "hour")
  const each = inHours(hours, from)
  const lastWeek = inHours(before, from - 7 * day)
  const failed = inHours(
    hours.filter(({ group }) => isFailed(group)),
    from,
  )
  const name = "A week earlier"
  const middle = (n: number) => each[n]!.at + hour / 2
  const bar = (as: string, name: string, width: number, of: (n: number) => readonly [number, number]) => ({
    ...{ kind: "bar" as const, as, name, width: width * hour },
    rows: each.flatMap((_, n) => (of(n)[0] === of(n)[1] ? [] : [[middle(n), ...of(n)] as const])),
  })
  return plot({
    title: lastHours,
    label: `${lastHours}, UTC: ${count(addUp(each).calls)}; ${name.toLowerCase()} ${count(addUp(lastWeek).calls)}.`,
    isTitled: true,
    x: { isTime: true, domain: [from, from + day] },
    y: makeAxis("Calls", Math.max(...[...each, ...lastWeek].map(({ calls }) => calls)), true),
    height: 140,
    marks: [
      bar("layer-others", name, 0.9, (n) => [0, lastWeek[n]!.calls]),
      bar("model", "Succeeded", 0.5, (n) => [failed[n]!.calls, each[n]!.calls]),
      bar("failed", "Failed", 0.5, (n) => [0, failed[n]!.calls]),
    ].filter(({ rows }) => rows.length > 0),
    columns: ["Hour, UTC", ...["Calls", "Failed", name].map(numeric)],
    rows: each.map(({ at, calls }, n) => ({
      at: middle(n),
      cells: [clock(at), count(calls), count(failed[n]!.calls), count(lastWeek[n]!.calls)],
    })),
  })
}

/** The calls of the last 24 hours, against those of a week ago, and how fast they were answered. */
const LastHours = ({
  usage,
  latency: p95,
  now,
  query,
}: {
  readonly usage: Used
  readonly latency: Effect.Effect.Success<ReturnType<typeof readLatency>>
  readonly now: number
  readonly query: URLSearchParams
}) => {
  const before = addUp(usage.before)
  return (
    <section>
      <h2>{lastHours}</h2>
      {usage.hours.length === 0 ? (
        <p>
          None. <a href={playground}>Make a call</a> and it is counted here.
        </p>
      ) : (
        <>
          <p class="soft">{countedIn(query)}</p>
          <div class="says">
            {before.calls > 0 && <Figure name="A week earlier">{count(before.calls)}</Figure>}
            {p95 !== undefined && <Figure name="p95 latency">{count(p95)} ms</Figure>}
          </div>
          {byHour(usage, now)}
        </>
      )}
    </section>
  )
}

const FirstSteps = ({ hasKey }: { readonly hasKey: boolean }) => (
  <section>
    <h2>First steps</h2>
    <ol class="tiles">
      {(
        [
          ["/dashboard/keys/new", "Create a test key", hasKey ? "Or use a key that you have." : "Its calls are free."],
          [playground, "Try a call", "Here, with sample data."],
          ["/dashboard/connect", "Connect a program", "Snippets for curl, Python, TypeScript and MCP."],
        ] as const
      ).map(([href, name, says], at) => (
        <li key={href}>
          <a class="tile" href={href}>
            <strong>
              {at + 1}. {name}
            </strong>
            <small>{says}</small>
          </a>
        </li>
      ))}
    </ol>
  </section>
)

/** Newest calls below the chart. */
const callsShown = 5

/** How many calls the balance pays for at least: all at the price of the dearest one. */
const callsLeft = (catalogue: Catalogue.Any, balance: number) => {
  const dearest = Math.max(...catalogue.entries.map(({ endpoint }) => charge(endpoint)))
  const calls = Math.floor(balance / dearest)
  return dearest > 0 && calls > 0 ? `Pays for at least ${plural(calls, "call")} at ${usd(dearest)}` : undefined
}

/** The overview: balance, calls and spend, what needs attention, the last 24 hours, and the newest calls. */
export const overview = (catalogue: Catalogue.Any): Page =>
  ofAccount({
    path: "/dashboard",
    label: "Overview",
    hasModes: true,
    view: (visit) =>
      Effect.gen(function* () {
        const { account, now, query } = visit
        const accounts = yield* Accounts
        const { balance } = yield* accounts.balance(account.id)
        const keys = yield* accounts.keySummary(account.id)
        const mode = modeIn(query)
        const all = yield* readUsage(account.id, now, undefined)
        const usage = mode === undefined ? all : yield* readUsage(account.id, now, modes.get(mode))
        yield* yieldToEventLoop
        const latency = yield* readLatency(account.id, mode)
        const failures = yield* readFailures(account.id, query, now)
        yield* yieldToEventLoop
        const stops = yield* readStops(account.id)
        const urgent = [...(yield* urgentOfAccount(account.id, now, stops, lines)), ...failures]
        const [calls, month] = [values.callsToday(usage), values.month(usage)]
        const isUsed = keys.isUsed || all.days.length > 0
        const { rows } = yield* (yield* Calls).page(account.id, ofMode(mode), callsShown)
        return {
          title: "Overview",
          action: makeCall,
          body: (
            <>
              <WalletCard
                balance={balance}
                left={timeLeft(balance, all.days, now)}
                note={callsLeft(catalogue, balance)}
              >
                {isUsed && (
                  <>
                    <Figure name="Calls today">
                      <a href={withMode(`/dashboard/calls?from=${dayOf(now)}`, query)}>
                        {mode === undefined ? <Live is={calls} /> : calls.shown.text}
                      </a>
                    </Figure>
                    <Figure name={`Spent in ${monthText(now)}`}>
                      <a href={withMode("/dashboard/usage?group=agent", query)}>
                        {mode === undefined ? <Live is={month} /> : month.shown.text}
                      </a>
                    </Figure>
                  </>
                )}
              </WalletCard>
              {(isUsed || urgent.length > 0) && (
                <Attention of={urgent} is={values.attention(urgentStops(stops))} href="/dashboard" />
              )}
              {!keys.isUsed && <FirstSteps hasKey={keys.open.count > 0} />}
              {isUsed && <LastHours usage={usage} latency={latency} now={now} query={query} />}
              {rows.length > 0 && (
                <section class="listing">
                  <h2>Newest calls</h2>
                  <CallList
                    rows={rows.map((row) => [row])}
                    names={yield* namesIn(account.id, rows)}
                    now={now}
                    catalogue={catalogue}
                  />
                  <p>
                    <a href={withMode(callsPath, query)}>All calls</a>
                  </p>
                </section>
              )}
            </>
          ),
        }
      }),
  })
