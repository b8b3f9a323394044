// The cost of 400 days of history relative to JSON.stringify of the same body: the lane over rows in memory, over the
// store, and each including the encoded body.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Bench } from "tinybench"
import { textOf } from "../adapters/lanes/weather/mock/climateText.ts"
import { issuanceOf } from "../adapters/lanes/weather/mock/reports.ts"
import * as sqlReports from "../adapters/lanes/weather/store/ClimateReports.ts"
import * as sqlite from "../adapters/store/engine/sqlite/open.ts"
import * as Envelope from "../core/endpoint/Envelope.ts"
import * as Select from "../core/endpoint/Select.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import * as Lane from "../core/lanes/Lane.ts"
import { history } from "../core/lanes/weather/endpoints.ts"
import { ClimateArchive, ClimateReports } from "../core/lanes/weather/ports.ts"
import { byId, daysFrom } from "../core/lanes/weather/stations.ts"
import { addDays } from "../core/time.ts"
import { watched } from "./progress.ts"

const station = byId.get("KNYC")!
const start = "2025-01-01"
const end = addDays(start, 399)
const params = { station: "KNYC", start, end } as const

/** Three years around the range; each day has a preliminary and a final report, as in an archive. */
const issuances = daysFrom(addDays(start, -365), addDays(end, 365)).flatMap((day) =>
  (["preliminary", "final"] as const).map((kind) => ({
    issuance: issuanceOf(station, day, kind),
    text: textOf(station, day, kind),
  })),
)

const store = ManagedRuntime.make(
  Layer.merge(sqlReports.layerArchive, sqlReports.layerReports).pipe(Layer.provideMerge(sqlite.layer(":memory:"))),
)
const stored = await store.runPromise(
  Effect.gen(function* () {
    const archive = yield* ClimateArchive
    yield* archive.append(issuances, Date.UTC(2027, 5, 1))
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ANALYZE`)
    return yield* ClimateReports
  }),
)
const rows = await store.runPromise(stored.range("KNYC", start, end))
const coverage = await store.runPromise(stored.coverage("KNYC", end))
const inMemory: ClimateReports["Type"] = {
  ...stored,
  range: () => Effect.succeed(rows),
  coverage: () => Effect.succeed(coverage),
}

const feeds = await Effect.runPromise(Effect.provide(Feeds, Feeds.layerNone))
const overMemory = Lane.method(history, { reports: inMemory, feeds })
const overStore = Lane.method(history, { reports: stored, feeds })
const slim = Select.compile(history.results).slim
const answer = await Effect.runPromise(overMemory(params))
const slimmed = Select.apply(slim, answer.results)
if (answer.results.count !== 400 || rows.flat().length !== 800) throw new Error("The bench does not measure 400 days.")

let shift = 0
const bench = new Bench({ time: 2_000, warmupTime: 500 })
  .add("JSON.stringify of the body", () => void JSON.stringify(slimmed))
  .add("answer, rows in memory", () => void Effect.runSync(overMemory(params)))
  .add("answer and body, rows in memory", () => {
    Envelope.resultsOf(history, Effect.runSync(overMemory(params)), slim, undefined).text
  })
  .add("first read of 800 versions from the store", () => {
    // A different range each time, more of them than the cache holds.
    shift = (shift + 1) % 300
    Effect.runSync(stored.range("KNYC", addDays(start, -shift), addDays(end, -shift)))
  })
  .add("read of 800 versions again", () => void Effect.runSync(stored.range("KNYC", start, end)))
  .add("answer and body, from the store", () => {
    Envelope.resultsOf(history, Effect.runSync(overStore(params)), slim, undefined).text
  })

await watched(bench).run()
const medians = bench.tasks.map(({ name, result }) => {
  if (result.state !== "completed") throw new Error(`${name}: ${result.state}`)
  return { name, micros: result.latency.p50 * 1000 }
})
const base = medians[0]!.micros
process.stdout.write(
  `400 days, ${JSON.stringify(slimmed).length} bytes\n${medians
    .map(
      ({ name, micros }) =>
        `${name.padEnd(44)} ${micros.toFixed(0).padStart(7)} µs median  x${(micros / base).toFixed(2)}`,
    )
    .join("\n")}\n`,
)
await store.dispose()
