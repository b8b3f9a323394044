import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as archive from "../../adapters/lanes/baseball/store/PitchingArchive.ts"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import { attempt } from "../../adapters/runtime/scheduler/runOnce.ts"
import * as Breaker from "../../adapters/runtime/upstream/breaker.ts"
import type { Report } from "../../adapters/server/http/health.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { AlertStore } from "../../core/alerts/AlertStore.ts"
import { Alerts } from "../../core/alerts/Alerts.ts"
import { makeRunner } from "../../core/alerts/runner.ts"
import { lastSlot, slotsBetween } from "../../core/jobs/schedule.ts"
import { catalogue, watches } from "../../core/lanes/all.ts"
import { PitchingArchive } from "../../core/lanes/baseball/ports.ts"
import { hour, iso, minute } from "../../core/time.ts"
import { laneModes } from "../../services/Config.ts"
import * as Jobs from "../../services/jobs.ts"
import * as Readiness from "../../services/readiness.ts"
import { signer } from "../../services/record.ts"
import { audited } from "../support/chaos/recordAudit.ts"
import { clockAt } from "../support/clock.ts"
import { type Fault, faults } from "../support/faults.ts"
import { type Replay, replay } from "../support/replay.ts"
import { type Running, settings, start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"
import { resultIn, worldUpstreams } from "../support/worldUpstreams.ts"

/** A Saturday in September, between the first games of a season of football. */
const begin = Date.UTC(2026, 8, 12)
const hours = 48
/** Jobs that are due each minute run once in this time, as on a machine that is short of it. */
const tick = 30 * minute
/** After the full minute, so that every slot of it has come. */
const past = 50_000

const at = (on: number): number => begin + on * hour

/** The schedule with a field renamed. */
const renamed: Fault = (good, response) =>
  faults.none({ ...good, body: String(good.body).replaceAll('"gameDate"', '"gameDateTime"') }, response)

/** What happens to which upstream, in hours from the beginning. */
const troubles = [
  { upstream: "nws", from: 14, to: 17, fault: faults.serverError },
  { upstream: "coinbase", from: 26, to: 28, fault: faults.hang },
  { upstream: "kalshi", from: 26, to: 28, fault: faults.unavailable },
  { upstream: "mlb", from: 32, to: 40, fault: renamed },
] as const
type Upstream = (typeof troubles)[number]["upstream"]

const isIn = (upstream: Upstream, time: number): boolean =>
  troubles.some((one) => one.upstream === upstream && at(one.from) <= time && time < at(one.to))

/** The call of the trader's alert. */
const watched = "/v1/markets/edge?domain=weather"

/** What is asked every hour, and whose trouble it may feel. */
const calls: ReadonlyArray<{ readonly path: (day: string) => string; readonly needs?: Upstream }> = [
  { path: () => "/v1/weather/signal?station=KNYC", needs: "nws" },
  { path: () => "/v1/weather/forecast?lat=40.78&lon=-73.97", needs: "nws" },
  { path: () => "/v1/weather/settlement?station=KNYC&day=2026-09-10" },
  { path: () => "/v1/crypto/spot?asset=BTC" },
  { path: () => "/v1/crypto/signal?asset=ETH&horizon_minutes=60" },
  { path: () => "/v1/nfl/fair-line?team=KC" },
  { path: (day) => `/v1/mlb/games?date=${day}`, needs: "mlb" },
  { path: () => "/v1/markets/edge", needs: "kalshi" },
]

interface Asked {
  readonly at: number
  readonly path: string
  readonly needs: Upstream | undefined
  readonly status: number
  readonly code: string | undefined
  readonly confidence: number | undefined
  readonly charged: number
}

interface JobEnd {
  readonly at: number
  readonly name: string
  readonly detail: string
}

/** A store in which the pitching of the games before has been read: a service that is new reads two seasons. */
const readBefore = (file: string) =>
  Effect.flatMap(PitchingArchive, ({ append }) =>
    append({ id: "before", season: 2026, day: "2026-09-11", refusal: "It is of before" }, [], 0),
  ).pipe(Effect.provide(archive.layer.pipe(Layer.provide([hasher.layer, secrets.layer, sqlite.layer(file)]))))

describe("48 hours in live mode, with two outages and a change of schema", () => {
  const folder = makeFolder()
  const scope = Effect.runSync(Scope.make())
  const clock = clockAt(begin + past, 5)
  const asked: Array<Asked> = []
  const failed: Array<JobEnd> = []
  const log: Array<string> = []
  const reports: Array<Report> = []
  const credit = 1_000_000_000
  /** Another customer, who has an alert on the board of the weather. */
  let trader: { readonly id: string; readonly token: string; readonly alert: string }
  let server: Running

  beforeAll(async () => {
    const stands: Record<string, Replay> = {}
    for (const [name, routes] of Object.entries(worldUpstreams(() => clock.unsafeCurrentTimeMillis(), 2026))) {
      stands[name] = await Effect.runPromise(Scope.extend(replay(routes), scope))
    }
    const changes = {
      ...({ weather: "live", football: "live", baseball: "live", crypto: "live", markets: "live" } as const),
      ...{ recordKeyNew: true, secretsKeyNew: true },
      sqliteFile: join(folder, "store.db"),
      upstreams: {
        ...settings().upstreams,
        ...Object.fromEntries(Object.entries(stands).map(([name, { url }]) => [name, url])),
      },
    }
    const config = settings(changes)
    await Effect.runPromise(readBefore(changes.sqliteFile))
    server = await start(changes, { clock, log, balance: credit, sources: Breaker.makeSourceList() })
    const context = await server.run(
      Layer.build(Layer.mergeAll(Jobs.layer(config), signer(config), hasher.layer)).pipe(
        (built) => Scope.extend(built, scope),
        Effect.withClock(clock),
      ),
    )
    const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      server.run(effect.pipe(Effect.provide(context), Effect.withClock(clock)) as Effect.Effect<A, E>)
    trader = await server.run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id } = yield* accounts.create("trader")
        yield* accounts.setTier(id, { tier: "enterprise", rpm: 10_000 })
        yield* accounts.credit(id, MicroUsd(credit))
        const { plaintext } = yield* accounts.issueKey({ account: id, environment: "live" })
        const alert = yield* Effect.flatMap(Alerts, ({ create }) =>
          create({ account: id, call: watched, threshold: 0.05 }),
        )
        return { id, token: Redacted.value(plaintext), alert: alert.id }
      }).pipe(Effect.withClock(clock)),
    )
    const { turn } = await within(Scope.extend(makeRunner(catalogue, watches), scope))
    const ready = await within(Readiness.make(laneModes(config)))
    const jobs = await within(Jobs.Jobs)

    for (let time = begin; time <= at(hours); time += tick) {
      clock.set(time + past)
      for (const { upstream, fault } of troubles) stands[upstream]!.spoil(isIn(upstream, time) ? fault : undefined)
      for (const job of jobs) {
        const isDue = slotsBetween(job.schedule, time + past - tick, time + past).length > 0
        // A server that starts makes up for slots that it missed.
        if (!isDue && (time > begin || job.catchUp === "none")) continue
        const slot = lastSlot(job.schedule, time + past)
        const ended = await within(attempt(job, slot, slot))
        if (ended._tag === "Finished" && ended.outcome === "ok") continue
        failed.push({ at: time, name: job.name, detail: ended._tag === "Finished" ? ended.detail : ended._tag })
      }
      await within(turn)
      if (time % hour !== 0) continue
      for (const { path, needs } of calls) {
        const before = await server.balance()
        const { status, json } = await server.get(path(iso(time).slice(0, 10)))
        asked.push({
          ...{ at: time, path: path("").split("?")[0]!, needs, status, code: json.error?.code },
          ...{ confidence: json._confidence?.score, charged: before - (await server.balance()) },
        })
      }
      reports.push((await within(ready)).report)
    }
  }, 600_000)
  afterAll(async () => {
    await server.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    removeFolder(folder)
  })

  const firings = () => server.run(Effect.flatMap(AlertStore, (store) => store.fired(trader.id, 0, 1_000)))
  const inTrouble = ({ needs, at }: Asked): boolean => needs !== undefined && isIn(needs, at)
  const rows = <Row extends object>(query: string): Promise<ReadonlyArray<Row>> =>
    server.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(query)))

  it("answers every call of a source that is well, and none as usual of one that is not", () => {
    const usual = new Map(asked.filter(({ at }) => at === begin).map(({ path, confidence }) => [path, confidence!]))
    for (const call of asked) {
      const told = `${iso(call.at)} ${call.path} ${call.status} ${call.code}`
      if (!inTrouble(call)) assert.strictEqual(call.status, 200, told)
      else if (call.status === 200) assert.isBelow(call.confidence!, usual.get(call.path)!, told)
      else assert.include(["upstream_unavailable", "data_freshness_stale"], call.code, told)
    }
  })

  it("charges what was answered, once", async () => {
    const prices = new Map(asked.map(({ path, charged }) => [path, charged]))
    for (const { status, charged, path } of asked) {
      assert.strictEqual(charged, status === 200 ? prices.get(path) : 0, path)
    }
    const charges = asked.map(({ charged }) => charged)
    assert.strictEqual(await server.balance(), credit - charges.reduce((sum, one) => sum + one, 0))
    const alerted = (await firings()).length
    assert.strictEqual(await server.charges(), charges.filter((one) => one > 0).length + alerted)
  })

  it("fails each job whose source is in trouble, and no other", () => {
    const names = new Map<Upstream, ReadonlyArray<string>>([
      ["nws", ["weather-reports"]],
      ["coinbase", ["crypto-tape"]],
      ["mlb", ["baseball-pitching"]],
      ["kalshi", ["markets-quotes", "markets-capture", "markets-settle"]],
    ])
    for (const { at, name, detail } of failed) {
      const cause = [...names].find(([, jobs]) => jobs.includes(name))
      assert.isTrue(cause !== undefined && isIn(cause[0], at), `${iso(at)} ${name}: ${detail}`)
    }
    for (const name of [...names.values()].flat())
      assert.isTrue(
        failed.some((one) => one.name === name),
        name,
      )
  })

  it("names the feeds in trouble in its report, and none at the end", () => {
    const red = (time: number) =>
      (reports[(time - begin) / hour]?.reasons ?? []).flatMap(({ reason, name }) => (reason === "feed" ? [name!] : []))
    assert.includeMembers(red(at(15)), ["weather_grids_knyc", "weather_observations_knyc"])
    assert.includeMembers(red(at(27)), ["kalshi_books"])
    assert.isTrue(
      red(at(35)).some((name) => name.startsWith("mlb_")),
      red(at(35)).join(),
    )
    for (const quiet of [0, 10, 20, 30, hours]) assert.deepStrictEqual(reports[quiet]!.reasons ?? [], [], `${quiet}`)
  })

  it("records the signals of each hour whose inputs were there, and no others", async () => {
    await server.run(audited)
    const captures = await rows<{ lane: string; at: number; venue: string }>(
      `SELECT DISTINCT lane, captures.at, venue FROM captures
       JOIN captured_contracts ON capture_id = id WHERE kind = 'scheduled'`,
    )
    const has = (lane: string, venue: string) => (on: number) =>
      captures.some((one) => one.lane === lane && one.venue === venue && Math.abs(Number(one.at) - at(on)) < 2 * minute)
    const missing = (lane: string, venue: string) =>
      Array.from({ length: hours }, (_, on) => on).filter((on) => !has(lane, venue)(on))
    // The next day's contracts open at 15:00 in the East: the grid of an hour before, which they need alone, is not late.
    assert.deepStrictEqual(missing("weather", "kalshi"), [14, 16, 26, 27])
    assert.deepStrictEqual(missing("crypto", "kalshi"), [26, 27])
    // At noon in New York the next contract ends a day and a minute later, beyond the model's horizon.
    assert.deepStrictEqual(missing("crypto", "polymarket"), [16, 40])
  })

  it("settles every contract that it captured by the venue's result, once", async () => {
    const until = at(hours) - hour
    const captured = await rows<{ ticker: string }>(
      "SELECT DISTINCT ticker FROM captured_contracts WHERE venue = 'kalshi'",
    )
    const settled = await rows<{ ticker: string; domain: string; result: string; source_result: string | null }>(
      "SELECT ticker, domain, result, source_result FROM settled_rows WHERE venue = 'kalshi' AND revision = 1",
    )
    const expected = captured.flatMap(({ ticker }) => {
      const result = resultIn(ticker, until)
      return result === undefined ? [] : [{ ticker, result }]
    })
    const results = new Map(settled.map(({ ticker, result }) => [ticker, result]))
    assert.strictEqual(results.size, settled.length)
    for (const { ticker, result } of expected) assert.strictEqual(results.get(ticker), result, ticker)
    assert.includeMembers([...new Set(settled.map(({ domain }) => domain))], ["weather", "crypto"])
    // The models' own sources, the official report and the tape, decide as the venue does.
    for (const { ticker, result, source_result } of settled) {
      if (source_result !== null) assert.strictEqual(source_result, result, ticker)
    }
    const { json } = await server.get("/v1/markets/performance")
    for (const domain of ["weather", "crypto"]) {
      assert.isAbove(json.domains[domain].markets_scored, 0, domain)
    }
  })

  it("fires a trader's alert, whose row says the cost of acting, and whose contract is followed to its settlement", async () => {
    const fired = await firings()
    assert.isNotEmpty(fired)
    const get = (path: string) => server.get(path, trader.token)
    const balance = () =>
      server.run(Effect.flatMap(Accounts, (accounts) => Effect.map(accounts.balance(trader.id), (one) => one.balance)))
    assert.strictEqual(await balance(), credit - fired.length * 10_000)
    assert.deepStrictEqual(
      fired.map(({ data }) => data.crossing),
      fired.map((_, n) => n + 1),
    )
    const settled = (await get("/v1/markets/settled?domain=weather&limit=500&verbose=true")).json.rows
    let followed = 0
    for (const { data } of fired) {
      const { edges } = data.results as { readonly edges: ReadonlyArray<Record<string, never>> }
      for (const { subject: ticker, value } of data.changes) {
        const row = edges.find(({ market }) => market === ticker)!
        assert.closeTo(Math.abs(row["edge"]!), value as number, 1e-6)
        // Buying "yes" at its ask, or "no" at its own; Kalshi takes .07 · p · (1 − p) of a contract.
        const isYes = row["side"] === "yes"
        const model = isYes ? row["model_prob"]! : 1 - row["model_prob"]!
        const ask = Number((isYes ? row["yes_ask"]! : 1 - row["yes_ask"]! + row["spread"]!).toFixed(4))
        assert.closeTo(row["edge_after_fee"]!, model - ask - 0.07 * ask * (1 - ask), 2e-6, JSON.stringify(row))
        for (const field of ["ask_size", "volume", "open_interest"]) assert.isNumber(row[field], field)
        const before = await balance()
        const { status, json } = await get(`/v1/markets/history?market=${ticker}`)
        assert.strictEqual(status, 200, JSON.stringify(json))
        const { contracts, points } = json.results
        const own = settled.find((one: { market_ticker: string }) => one.market_ticker === ticker)
        assert.strictEqual(contracts[0].status === "settled", own !== undefined)
        assert.strictEqual(await balance(), before - (own === undefined ? 10_000 : 0))
        if (own === undefined) continue
        followed++
        assert.strictEqual(contracts[0].result, own.result)
        const scored = points.find((point: { captured_at: string }) => point.captured_at === own.captured_at)
        assert.deepStrictEqual([scored.model_prob, scored.market_prob], [own.model_prob, own.market_prob])
      }
    }
    assert.isAbove(followed, 0)
  })

  it("has a log that tells the beginning, the cause and the end of each trouble", () => {
    const lines = log.filter((line) => !/level=(DEBUG|TRACE)/.test(line))
    for (const line of lines) assert.notMatch(line, /file:\/\/|node_modules/)
    for (const told of [
      "The National Weather Service answered with an error (status 500).",
      "Coinbase does not answer",
      "Coinbase answers again",
      "Job crypto-tape works again",
      "Kalshi asked for a pause",
      "Job markets-quotes works again",
    ]) {
      assert.isTrue(
        lines.some((line) => line.includes(told)),
        told,
      )
    }
    assert.isAtMost(lines.length, 60, lines.join("\n"))
  })
})
