import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as contracts from "../../adapters/lanes/markets/store/Contracts.ts"
import { textOf } from "../../adapters/lanes/weather/mock/climateText.ts"
import { issuanceOf } from "../../adapters/lanes/weather/mock/reports.ts"
import { layerArchive } from "../../adapters/lanes/weather/store/ClimateReports.ts"
import { layerStore as settledStore } from "../../adapters/store/record/Settled.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { ContractStore } from "../../core/lanes/markets/ports.ts"
import { ClimateArchive } from "../../core/lanes/weather/ports.ts"
import { byId, daysFrom } from "../../core/lanes/weather/stations.ts"
import { domains } from "../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../core/record/scoreboard/SettledStore.ts"
import { addDays, day } from "../../core/time.ts"
import * as App from "../../services/app.ts"
import { mockOpen } from "../../test/support/mockLanes.ts"
import { settings } from "../../test/support/running.ts"
import { settledRows } from "../../test/support/settledRows.ts"

/** Sizes of the product specification. */
export const sizes = { settled: 65_668, contracts: 738, days: 400, roster: 46_080 } as const

/** The callers' keys. */
export interface Keys {
  /** Key of an account with money and without a reachable limit. */
  readonly payer: string
  /** Free keys. The first one attacks; the others call one route each, below their rate limit. */
  readonly tests: ReadonlyArray<string>
  /** Key of an account with one cent, which no call here can charge. */
  readonly poor: string
  /** Further keys of an account with many charges, not used before. */
  readonly others: ReadonlyArray<string>
}

const history = Effect.gen(function* () {
  const archive = yield* ClimateArchive
  const station = byId.get("KNYC")!
  const today = new Date().toISOString().slice(0, 10)
  const issuances = daysFrom(addDays(today, -sizes.days - 3), addDays(today, -1)).flatMap((day) =>
    (["preliminary", "final"] as const).map((kind) => ({
      issuance: issuanceOf(station, day, kind),
      text: textOf(station, day, kind),
    })),
  )
  yield* archive.append(issuances, Date.now())
})

const settled = Effect.gen(function* () {
  const store = yield* SettledStore
  const rows = settledRows(sizes.settled, 2)
  const chunk = 5_000
  for (let from = 0; from < rows.length; from += chunk) yield* store.append(rows.slice(from, from + chunk))
})

const open = Effect.gen(function* () {
  const store = yield* ContractStore
  const now = Date.now()
  const once = yield* mockOpen(now)
  const all = Array.from({ length: sizes.contracts }, (_, at) => {
    const [copy, one] = [Math.floor(at / once.length), once[at % once.length]!]
    const closeTime = now + 7 * day
    return { ...one, ticker: `${one.ticker}/${copy}`, subject: `${one.subject}/${copy}`, closeTime }
  })
  for (const domain of domains) {
    const own = all.filter((one) => one.domain === domain)
    yield* store.replace("mock", domain, own, now)
  }
})

/** This month's charges as the ledger writes them. */
const charges = (account: string, key: string, count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const at = Date.now()
    yield* sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      SELECT printf('%026d', i), ${at}, 'charge', ${account}, ${`wallet:${account}`}, 'revenue', 1000, ${key},
        '/v1/crypto/spot' FROM n`
  })

/** Creates a store of the specification's sizes, with accounts and keys. */
export const prepare = (file: string, chargeCount: number): Promise<Keys> =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const issue = (account: string, environment: "live" | "test", rpm?: number) =>
      Effect.map(
        accounts.issueKey({
          account,
          environment,
          ...(rpm === undefined ? { tier: "indie" as const } : { tier: "enterprise" as const, rpm }),
        }),
        ({ plaintext, key: { id } }) => ({ id, token: Redacted.value(plaintext) }),
      )
    const payer = yield* accounts.create("payer")
    yield* accounts.credit(payer.id, MicroUsd(1_000_000_000_000))
    const guest = yield* accounts.create("guest")
    yield* accounts.credit(guest.id, MicroUsd(10_000))
    const busy = yield* accounts.create("busy")
    const first = yield* issue(busy.id, "live")
    yield* charges(busy.id, first.id, chargeCount)
    const others = yield* Effect.forEach([1, 2, 3, 4, 5], () => issue(busy.id, "test"))
    yield* history
    yield* settled
    yield* open
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    return {
      payer: (yield* issue(payer.id, "live", 100_000_000)).token,
      tests: (yield* Effect.forEach(Array.from({ length: 100 }), () => issue(guest.id, "test"))).map(
        ({ token }) => token,
      ),
      poor: (yield* issue(guest.id, "live", 100_000)).token,
      others: others.map(({ token }) => token),
    }
  }).pipe(
    Effect.provide(
      Layer.mergeAll(settledStore, contracts.layerStore, layerArchive).pipe(
        Layer.provideMerge(App.store(settings({ sqliteFile: file }))),
      ),
    ),
    Effect.runPromise,
  )
