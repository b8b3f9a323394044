import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { releaseParts } from "../../../adapters/lanes/football/nflverse/sync.ts"
import * as archive from "../../../adapters/lanes/football/store/Archive.ts"
import * as calibrations from "../../../adapters/lanes/weather/store/Calibrations.ts"
import { getFile, getText } from "../../../adapters/runtime/upstream/upstream.ts"
import * as sqlite from "../../../adapters/store/engine/sqlite/open.ts"
import { total } from "../../../core/jobs/Job.ts"
import { SecondForecasts } from "../../../core/lanes/weather/guidance/Guidance.ts"
import { Forecasts } from "../../../core/lanes/weather/ports.ts"
import { Calibrations } from "../../../core/lanes/weather/signal/Calibrations.ts"
import { archiveForecasts } from "../../../core/lanes/weather/signal/recalibration.ts"
import { climateDay, climateDayStart, stations } from "../../../core/lanes/weather/stations.ts"
import { patient } from "../../support/policy.ts"
import { replay } from "../../support/replay.ts"
import { withYields } from "../../support/yields.ts"
import { grid, hourly } from "../lanes/weather/world.ts"

describe("others have their turn while a job", () => {
  it.scopedLive("receives a long body, and not while it receives a short one", () =>
    Effect.gen(function* () {
      const size = 4 * 1_048_576
      const { url } = yield* replay([
        { path: "/long", reply: { body: "x".repeat(size) } },
        { path: "/short", reply: { body: "x" } },
      ])
      const client = yield* HttpClient.HttpClient
      const upstream = { name: "upstream", baseUrl: url, ...patient, maxBytes: 2 * size }
      const [long, yields] = yield* withYields(getFile(client, upstream, "/long"))
      assert.strictEqual(
        long?.chunks.reduce((sum, { length }) => sum + length, 0),
        size,
      )
      // Chunks have up to 64 KiB each.
      assert.isAtLeast(yields, size / (2 * 131_072))
      assert.deepStrictEqual(yield* withYields(getText(client, upstream, "/short")), ["x", 0])
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.scopedLive("goes from one absent file to the next", () =>
    Effect.gen(function* () {
      const upstream = yield* replay([])
      const client = yield* HttpClient.HttpClient
      const parts = yield* releaseParts(client, upstream.url, patient)
      const [read, yields] = yield* withYields(Effect.forEach(parts, (part) => part.read))
      const { "files requested": asked = 0, "not released": absent = 0 } = total(read)
      assert.isAbove(absent, 50)
      // Before each request, and around each error's text.
      assert.isAtLeast(yields, 3 * asked)
    }).pipe(
      Effect.provide(
        Layer.merge(FetchHttpClient.layer, archive.layer.pipe(Layer.provideMerge(sqlite.layer(":memory:")))),
      ),
    ),
  )

  it.live("cuts the stations' grids to days", () =>
    Effect.gen(function* () {
      const now = Date.now()
      const grids = Layer.succeed(Forecasts, {
        freshness: "live",
        point: () => Effect.dieMessage("not asked for"),
        grid: (station) =>
          Effect.succeed(
            grid({
              updatedAt: now,
              hourly: hourly(-24, 24 * 9, 0, climateDayStart(station, climateDay(station, now))),
            }),
          ),
      })
      const [{ failures }, yields] = yield* withYields(Effect.provide(archiveForecasts, grids))
      assert.deepStrictEqual(failures, [])
      assert.isAtLeast(yields, 2 * stations.length)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(calibrations.layerForecasts, Calibrations.layerNone, SecondForecasts.layerNone).pipe(
          Layer.provideMerge(sqlite.layer(":memory:")),
        ),
      ),
    ),
  )
})
