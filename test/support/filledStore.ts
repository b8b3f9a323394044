import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { perform } from "../../adapters/admin/AdminOperation.ts"
import { peopleVerbs } from "../../adapters/admin/peopleVerbs.ts"
import * as pitching from "../../adapters/lanes/baseball/store/PitchingArchive.ts"
import * as candles from "../../adapters/lanes/crypto/store/Candles.ts"
import * as footballArchive from "../../adapters/lanes/football/store/Archive.ts"
import * as challengeStore from "../../adapters/lanes/markets/store/Challenge.ts"
import * as contracts from "../../adapters/lanes/markets/store/Contracts.ts"
import * as calibrations from "../../adapters/lanes/weather/store/Calibrations.ts"
import * as climateReports from "../../adapters/lanes/weather/store/ClimateReports.ts"
import * as usageStore from "../../adapters/store/audit/Usage.ts"
import type { Place } from "../../adapters/store/engine/opening.ts"
import * as deliveryQueue from "../../adapters/store/events/DeliveryQueue.ts"
import * as captures from "../../adapters/store/record/Captures.ts"
import * as outcomes from "../../adapters/store/record/Outcomes.ts"
import * as settledStore from "../../adapters/store/record/Settled.ts"
import * as shadowLog from "../../adapters/store/record/ShadowLog.ts"
import * as jobRuns from "../../adapters/store/upkeep/JobRuns.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { AuditTrail } from "../../core/account/AuditTrail.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../core/account/Money.ts"
import * as Ulid from "../../core/account/Ulid.ts"
import { Usage } from "../../core/account/Usage.ts"
import { types } from "../../core/events/Event.ts"
import { Webhooks } from "../../core/events/Webhooks.ts"
import { JobRuns } from "../../core/jobs/JobRuns.ts"
import { PitchingArchive } from "../../core/lanes/baseball/ports.ts"
import { CandleStore } from "../../core/lanes/crypto/ports.ts"
import { Challenge } from "../../core/lanes/markets/challenge/Challenge.ts"
import { ContractStore } from "../../core/lanes/markets/ports.ts"
import { ClimateArchive } from "../../core/lanes/weather/ports.ts"
import { CalibrationStore } from "../../core/lanes/weather/signal/Calibrations.ts"
import { StepStore } from "../../core/lanes/weather/signal/steps.ts"
import type { Fact } from "../../core/payment/Order.ts"
import { OrderStore } from "../../core/payment/OrderStore.ts"
import { People } from "../../core/people/People.ts"
import { Outcomes } from "../../core/record/captures/Outcomes.ts"
import { toInputs, toPart } from "../../core/record/captures/RecordInputs.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"
import { SettledStore } from "../../core/record/scoreboard/SettledStore.ts"
import { ShadowLog } from "../../core/shadow/ShadowLog.ts"
import { day } from "../../core/time.ts"
import * as App from "../../services/app.ts"
import { signer } from "../../services/record.ts"
import { captured } from "./captures.ts"
import { contract } from "./contracts.ts"
import { fixture, ingest } from "./footballStore.ts"
import { issuance, preliminary } from "./issuances.ts"
import { pitched } from "./pitching.ts"
import { leaves } from "./record.ts"
import { settings } from "./running.ts"
import { settledRows } from "./settledRows.ts"
import { settlementOf } from "./settlement.ts"
import { type Spender, spender } from "./spender.ts"
import { tablesAtOnce } from "./store.ts"

const june = Date.UTC(2026, 5, 20)
const july = Date.UTC(2026, 6, 9, 12)

/**
 * Everything that a node does with a store. Its key files are in a folder that the stores of a test share.
 *
 * @param folding when the ledger of SQLite is folded
 */
export const nodeOver = (place: Place, keys: string, folding: Layer.Layer<never> = tablesAtOnce) => {
  const config = settings({
    ...(place._tag === "Sqlite" ? { sqliteFile: place.file } : { postgres: Option.some(place.url) }),
    recordKeyFile: Option.some(`${keys}/record-key`),
    secretsKeyFile: Option.some(`${keys}/secrets-key`),
    webhooks: { allowHosts: ["one.example"] },
  })
  return Layer.mergeAll(
    candles.layerStore,
    pitching.layer,
    footballArchive.layer,
    challengeStore.layer,
    contracts.layerStore,
    settledStore.layerStore,
    settledStore.layerScoreboard,
    calibrations.layerStore,
    calibrations.layerSteps,
    climateReports.layerArchive,
    captures.layer,
    outcomes.layer,
    deliveryQueue.layer,
    jobRuns.layer,
    shadowLog.layer(),
    signer(config),
  ).pipe(Layer.provideMerge(App.store(config)), Layer.provide(folding), Layer.fresh)
}

export type Node = Layer.Layer.Success<ReturnType<typeof nodeOver>>

const inserted = (table: string, row: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO ${sql(table)} ${sql.insert(row as never)}`)

/** Texts and numbers that a careless copy would change. */
const awkward = 'Zoë said "no\\n", twice:\n\t\u2028\u{1f31e} \u007f'
const reals = [0.1 + 0.2, 5e-324, 1e-7, -1.5, 123456789.12345679, 2 ** 1000 * 1.1]

const replyKey = (month: number, payer: number): string =>
  `00000000-0000-4000-8000-${String(month + payer)
    .padStart(12, "0")
    .slice(-12)}`

const money = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { sha256 } = yield* SyncSha256
  const webhooks = yield* Webhooks
  const payers: ReadonlyArray<Spender> = [
    yield* spender("bot", { monthlyCap: 20_000 }, 1_000_000),
    yield* spender("Zoe 2", { budgetCap: 9_000_000 }, 5_000_000),
  ]
  for (const { accountId } of payers) {
    yield* webhooks.create(accountId, "https://one.example/hook", types)
  }
  const accounts = yield* Accounts
  // One is crossed by the calls below, the other one is far; the third account has none.
  for (const [at, micros] of [975_000, 2 ** 52].entries()) {
    yield* accounts.setLowBalance(payers[at]!.accountId, MicroUsd(micros))
  }
  yield* accounts.create("closed")
  yield* accounts.suspend("closed")
  let calls = 0
  const settle = (who: Spender, at: number, rest: object = {}, asked: object = {}) =>
    ledger.charge({
      ...settlementOf({ ...who, requestId: `req_${String(++calls).padStart(6, "0")}`, micros: 1_000, at, ...asked }),
      ...rest,
    })
  for (const [month, who] of [june, july].flatMap((at) => payers.map((who) => [at, who] as const))) {
    yield* settle(who, month, {
      reply: { key: replyKey(month, payers.indexOf(who)), requestHash: "a", stored: awkward },
    })
    // The agent with a cap comes to its end and is refused.
    yield* Effect.forEach(Arr.range(1, 30), (n) => settle(who, month + n * 1_000), { concurrency: 8 })
    yield* settle(who, month, {}, { livemode: false })
  }
  const inputs = toInputs({ reals, awkward })(sha256)
  yield* settle(payers[1]!, july, {
    captured: captured(
      {
        id: "01J2ABCDEFGHJKMNPQRSTVWXYA",
        at: july,
        closeTime: july + 1,
        sealedUntil: july + 1,
        inputsHash: inputs.hash,
        bought: { ...payers[1]!, requestId: "req_capture", agentId: "agt_1" },
      },
      { inputs: [toPart(inputs)], contracts: [{ ...contract(), closeTime: july + 1 } as never] },
    ),
  })
  const line = settlementOf({ ...payers[0]!, requestId: "req_free", micros: 0, at: july }).audit
  yield* ledger.appendAudit({
    ...line,
    charged: zero,
    status: 422,
    code: "invalid_parameter",
    paramsHash: "ab".repeat(32),
  })
  return payers
})

/** Orders at every state, with their facts and postings. */
const paying = (accountId: string) =>
  Effect.gen(function* () {
    const { insert, note } = yield* OrderStore
    const told: ReadonlyArray<ReadonlyArray<Fact>> = [
      [],
      [{ kind: "ended", reference: "cs_1", detail: awkward }],
      [{ kind: "paid", reference: "pi_2", amount: { micros: 1, currency: "eur" } }],
      [
        { kind: "paid", reference: "pi_3", amount: { micros: 5_000_000, currency: "usd" } },
        { kind: "refunded", reference: "re_3", amount: { micros: 1_000_000, currency: "usd" } },
        { kind: "disputed", reference: "dp_3", amount: { micros: 1, currency: "usd" } },
      ],
    ]
    for (const [at, facts] of told.entries()) {
      const id = `txn_${Ulid.encode(july + at, new Uint8Array(10))}`
      const order = { id, accountId, provider: "stripe", micros: MicroUsd(5_000_000), createdAt: july + at }
      const opened = {
        kind: "opened",
        reference: `page_${at}`,
        url: "https://pay.example/1",
        endsAt: july * 2,
      } as const
      yield* insert(order, opened, { payer: `payer_${at}`, until: july + day })
      const reversalId = `txn_${Ulid.encode(july + at, new Uint8Array(10).fill(255))}`
      yield* note({ orderId: id, facts, reversalId, at: july + at })
    }
  })

const record = Effect.gen(function* () {
  const log = yield* RecordLog
  yield* log.append(leaves(0, 37))
  yield* signCheckpoint
  yield* log.append(leaves(37, 53))
  yield* signCheckpoint
  // Leaves that no checkpoint covers yet.
  yield* log.append(leaves(53, 60, { seal: { until: july + 86_400_000, salt: "5a".repeat(16) } }))
  const outcome = {
    captureId: "01J2ABCDEFGHJKMNPQRSTVWXYA",
    at: july + 2,
    outcome: { high: 86 },
    scores: { brier: 0.25 },
  }
  yield* (yield* Outcomes).append([1, 2].map((revision) => ({ ...outcome, revision })))
  const store = yield* SettledStore
  const rows = settledRows(90, 7)
  yield* store.append(rows)
  yield* store.append(rows.slice(0, 9).map((row) => ({ ...row, result: row.result === "yes" ? "no" : "yes" })))
})

const lanes = Effect.gen(function* () {
  const pitches = yield* PitchingArchive
  yield* pitches.append(pitched("800001", "2026-04-01"), [{ pitcher: "7001", season: 2026, seasons: [] }], 1)
  const tape = yield* CandleStore
  const minutes = reals.map((real, at) => ({
    minute: at,
    high: 2 ** 1001,
    low: 5e-324,
    close: Math.abs(real),
    volume: Math.abs(real),
  }))
  yield* tape.append("BTC", "coinbase", minutes)
  yield* tape.recordComparison({ asset: "BTC", minute: 1, primary: "coinbase", secondary: "kraken", gap: 1 / 3 })
  const archive = yield* ClimateArchive
  yield* archive.append(
    [issuance("2026-07-08", {}, { precipIn: 0.1 + 0.2 } as never), preliminary("2026-07-08")].map((each) => ({
      issuance: each,
      text: awkward,
    })),
    july,
  )
  const state = { station: "KNYC", variable: "high", bucket: 1, day: "2026-07-08" } as const
  yield* (yield* CalibrationStore).publish(
    0,
    [{ ...state, productId: "p", officialF: 86, residualF: -1 / 3, counted: true }],
    [{ ...state, state: { n: 1, mean: 0.1, scale: 1 / 3 } } as never],
    july,
  )
  yield* (yield* StepStore).append(
    [
      {
        station: "KNYC",
        day: "2026-07-08",
        variable: "high",
        readF: 85,
        expectedF: 0.7,
        officialF: 86,
        productId: "p",
      },
    ],
    july,
  )
  yield* (yield* ContractStore).replace("kalshi", "weather", [contract()], july)
  for (const [feed, file] of [
    ["games", "games.csv"],
    ["team_weeks", "team_week_2024.csv"],
    ["quarterbacks", "player_weeks_2024.csv"],
    ["injuries", "injuries_2024.csv"],
    ["rosters", "roster_weekly_2024.csv"],
    ["top100", "top100.csv"],
  ] as const) {
    yield* ingest(feed, fixture(file), july)
  }
})

/** A model of an account with opinions on a contract that closes in another century, and one that was withdrawn. */
const challenging = (accountId: string) =>
  Effect.gen(function* () {
    const { submit, withdraw } = yield* Challenge
    const far = { ...contract(), closeTime: 2 ** 42 }
    for (const p of [0, 333_333, 1_000_000])
      yield* submit({ accountId, agentId: "agt_1" }, "ensemble.v1", [{ contract: far, p }])
    yield* submit({ accountId }, "old_one", [{ contract: far, p: 500_000 }])
    yield* withdraw(accountId, "old_one")
  })

const operation = Effect.gen(function* () {
  const runs = yield* JobRuns
  for (const job of ["capture", "settle"]) {
    const claim = yield* runs.claim(job, undefined, july)
    if (claim._tag === "Claimed" && job === "settle") {
      yield* runs.finish(claim.run, { at: july + 5, outcome: "ok", detail: awkward })
    }
  }
  const comparison = {
    port: "Reports",
    method: "range",
    args: "[]",
    agreed: false,
    difference: awkward,
    liveMs: 3,
    dropped: 0,
  }
  // Two equal rows: the table has no key.
  yield* (yield* ShadowLog).record([
    { ...comparison, at: july },
    { ...comparison, at: july },
    { ...comparison, at: july, agreed: true, failure: "timeout" },
  ])
})

/** Rows of tables that the ports above leave empty. */
const rest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* inserted("heartbeats", { name: "readiness", at: 2 ** 53 - 1 })
  yield* inserted("climate_days_no_report", { station: "KNYC", day: "2026-07-07", source: "IEM", asked_at: july })
  yield* inserted("law_scores", {
    ...{ lane: "weather", instrument: "KNYC", target: "2026-07-08", variable: "high", lead: 1, scored_at: july },
    ...{ capture_id: "01J2ABCDEFGHJKMNPQRSTVWXYA", model_version: "t8", outcome: 86, crps: 0.1 + 0.2 },
    ...{ low: 1 / 3, high: 0.1 + 0.7 },
  })
  yield* inserted("venue_readings", {
    ...{ station: "KNYC", day: "2026-07-08", revision: 1, status: "official", issued_at: july },
    ...{ high_f: 86, low_f: null, read_at: july },
  })
  yield* inserted("pool_weights", {
    ...{ domain: "weather", day: "2026-07-08", weight: 1 / 3, fitted: 0.5, rows: 99 },
    ...{ improvement: 1e-3, low: -1e-3, high: 3e-3 },
  })
  yield* inserted("weather_voids", {
    ...{ source: "venue_reading", station: "KNYC", day: "2026-07-08", version: "1", reason: awkward, at: july },
    revision: 1,
  })
  const [key] = yield* sql<{ id: string; account_id: string }>`SELECT id, account_id FROM api_keys LIMIT 1`
  yield* inserted("alerts", {
    ...{ id: "alt_1", account_id: key!.account_id, key_id: key!.id, key_hash: "x", name: awkward, call: "/v1/x" },
    ...{ threshold: 0.1 + 0.2, hysteresis: 1 / 3, status: "paused", reason: "insufficient_funds" },
    ...{ memory: awkward, pending: awkward, version: 3, crossings: 2, fired_at: july, created_at: july },
  })
  yield* inserted("feed_attempts", {
    ...{ feed: "weather_venue", attempted_at: july, good_at: null, refused_at: july },
    ...{ refusal: awkward, fields: "{}" },
  })
  yield* inserted("lane_days", { lane: "weather", day: 20_642, checks: 288, good: 287 })
  yield* inserted("call_reasons", { request_id: "req_refused", at: july, fields: "station" })
  yield* inserted("temperature_forecasts", {
    ...{ station: "KNYC", target_day: "2026-07-08", variable: "high", bucket: 1, taken_at: july },
    ...{ forecast_f: 86 + 1 / 3, source: "NWS", issued: JSON.stringify({ mean: 86.5 }) },
  })
  yield* inserted("weather_guidance", {
    ...{ station: "KNYC", day: "2026-07-08", source: "nbm", variable: "high", issued_at: july },
    ...{ temp_f: 86, sigma_f: 2, percentiles_f: "[83,85,86,87,89]", received_at: july + 1 },
  })
  yield* sql`UPDATE audit_months SET exported_at = ${july}, exported_rows = (SELECT count(*) FROM audit WHERE month = '2026-06') WHERE month = '2026-06'`
  yield* sql`
    INSERT INTO webhook_attempts (delivery, number, at, duration_ms, status, response)
    SELECT seq, 1, ${july}, 12, 500, ${awkward} FROM webhook_deliveries`
})

const usage = Effect.flatMap(Usage, ({ move }) => move)

/** Fills a store with rows of every kind, as a node writes them; the agents' owners. */
/** Somebody signed in, by an invitation that is logged, and somebody on the way to the identity provider. */
const people = (accountId: string) =>
  Effect.gen(function* () {
    const { path } = yield* perform(peopleVerbs.peopleInvite, { account: accountId, name: "ann", role: "owner" })
    const { startSignIn, acceptInvitation: enter } = yield* People
    yield* enter(path.split("#")[1]!, { address: "192.0.2.1" })
    yield* startSignIn("/dashboard")
  })

export const fill: Effect.Effect<ReadonlyArray<Spender>, unknown, Node> = Effect.gen(function* () {
  const payers = yield* money
  yield* record
  yield* lanes
  yield* challenging(payers[0]!.accountId)
  yield* paying(payers[1]!.accountId)
  yield* operation
  yield* rest
  yield* trailIsComplete
  yield* Effect.provide(usage, usageStore.layer)
  yield* people(payers[0]!.accountId)
  return payers
})

/** On PostgreSQL a row of the trail is read when every older transaction of the server has ended, those of other tests too. */
export const trailIsComplete = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.asVoid(
        Effect.repeat(
          Effect.delay(
            sql`SELECT 1 FROM audit WHERE tx >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_shift() LIMIT 1`,
            10,
          ),
          { until: (rows) => rows.length === 0 },
        ),
      ),
  }),
)

const days = { from: july - 90 * day, to: july + 90 * day, span: "day", group: "endpoint" } as const

/** Everything that a store is asked after a copy. */
export const read = (payers: ReadonlyArray<Spender>) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const agents = yield* Agents
    yield* trailIsComplete
    return {
      balances: yield* Effect.forEach(payers, ({ accountId }) => ledger.balance(accountId)),
      trails: yield* Effect.forEach(payers, ({ agentId }) => agents.audit(agentId, 1_000)),
      months: yield* (yield* AuditTrail).months,
      usage: yield* Effect.provide(
        Effect.flatMap(Usage, ({ sums }) => Effect.forEach(payers, ({ accountId }) => sums(accountId, days))),
        usageStore.layer,
      ),
      replies: yield* Effect.forEach(payers, ({ keyId }, at) => ledger.recall(keyId, replyKey(july, at), july + 1)),
      log: yield* (yield* RecordLog).range(0, 1_000),
    }
  })
