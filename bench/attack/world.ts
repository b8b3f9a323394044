import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as contracts from "../../adapters/lanes/markets/store/Contracts.ts"
import { printReport } from "../../adapters/lanes/weather/mock/climateText.ts"
import { drawIssuance } from "../../adapters/lanes/weather/mock/reports.ts"
import { layerArchive } from "../../adapters/lanes/weather/store/ClimateReports.ts"
import { layerStore } from "../../adapters/store/record/Settled.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { ContractStore } from "../../core/lanes/markets/ports.ts"
import { ClimateArchive } from "../../core/lanes/weather/ports.ts"
import { byId, listDays } from "../../core/lanes/weather/stations.ts"
import { domains } from "../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../core/record/scoreboard/SettledStore.ts"
import { addDays, day } from "../../core/time.ts"
import { openContracts, settledRows } from "../load/market.ts"
import { idle } from "../load/measure.ts"
import { ample, type Environment, funded, inStore, issue, serve, sqliteAt } from "../load/servers.ts"
import { upstreams } from "./upstreams.ts"

/** Defaults of both attacks, at the sizes of the product specification: charges of a busy account, and settled rows. */
export const sizes = { charges: [2_000_000, 20_000], settled: [65_668, 2_000] } as const

interface Sizes {
  readonly charges: number
  readonly settled: number
}

const [openCount, daysCount] = [738, 400]

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
  const issuances = listDays(addDays(today, -daysCount - 3), addDays(today, -1)).flatMap((day) =>
    (["preliminary", "final"] as const).map((kind) => ({
      issuance: drawIssuance(station, day, kind),
      text: printReport(station, day, kind),
    })),
  )
  yield* archive.append(issuances, Date.now())
})

const settled = (count: number) =>
  Effect.gen(function* () {
    const store = yield* SettledStore
    const rows = yield* Effect.promise(() => settledRows(count))
    const chunk = 5_000
    for (let from = 0; from < rows.length; from += chunk) yield* store.append(rows.slice(from, from + chunk))
  })

const open = Effect.gen(function* () {
  const { replace } = yield* ContractStore
  const now = Date.now()
  const all = yield* Effect.promise(() => openContracts(openCount, now + 7 * day))
  for (const domain of domains)
    yield* replace(
      "mock",
      domain,
      all.filter((one) => one.domain === domain),
      now,
    )
})

/** This month's charges as the ledger writes them. */
const charges = (account: string, key: string, count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      SELECT printf('%026d', i), ${Date.now()}, 'charge', ${account}, ${`wallet:${account}`}, 'revenue', 1000, ${key},
        '/v1/crypto/spot' FROM n`
  })

/** A store with accounts and keys. */
const prepare = (counts: Sizes) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const free = (account: string) => issue({ account, environment: "test", tier: "indie" })
    const payer = yield* funded("payer", 1_000_000_000_000)
    const guest = yield* accounts.create("guest")
    yield* accounts.credit(guest.id, MicroUsd(10_000))
    const busy = yield* accounts.create("busy")
    const first = yield* issue({ account: busy.id, environment: "live", tier: "indie" })
    yield* charges(busy.id, first.keyId, counts.charges)
    const others = yield* Effect.forEach([1, 2, 3, 4, 5], () => free(busy.id))
    yield* history
    yield* settled(counts.settled)
    yield* open
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    return {
      payer: payer.key,
      tests: (yield* Effect.forEach(Array.from({ length: 100 }), () => free(guest.id))).map(({ key }) => key),
      poor: (yield* issue({ account: guest.id, ...ample })).key,
      others: others.map(({ key }) => key),
    }
  }).pipe(Effect.provide(Layer.mergeAll(layerStore, contracts.layerStore, layerArchive)))

/** A watched server over such a store, with upstreams of its own. */
export interface Besieged {
  readonly server: Awaited<ReturnType<typeof serve>>
  readonly keys: Keys
  readonly environment: Environment
}

export const besieged = async (folder: string, counts: Sizes): Promise<Besieged> => {
  const database = sqliteAt(join(folder, "store.db"))
  const keys: Keys = await inStore(database, prepare(counts))
  const { nws, nflverse } = await upstreams()
  const environment = {
    ...database,
    RECORD_KEY_FILE: join(folder, "record-key"),
    ...{ DATA_FRESHNESS_MARKETS: "live", TERMS_ACCEPTED: "kalshi,polymarket" },
    ...{ DATA_FRESHNESS_WEATHER: "live", NWS_URL: nws, NFLVERSE_URL: nflverse },
  }
  const server = await serve(environment, { isWatched: true })
  await idle(server)
  return { server, keys, environment }
}
