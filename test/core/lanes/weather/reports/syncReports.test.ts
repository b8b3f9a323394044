import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Iem from "../../../../../adapters/lanes/weather/iem/api.ts"
import { weatherReportsJob } from "../../../../../adapters/lanes/weather/jobs.ts"
import * as mock from "../../../../../adapters/lanes/weather/mock/reports.ts"
import * as Nws from "../../../../../adapters/lanes/weather/nws/source.ts"
import * as sql from "../../../../../adapters/lanes/weather/store/ClimateReports.ts"
import * as secrets from "../../../../../adapters/runtime/node/secrets.ts"
import { type Attempt, runOnce } from "../../../../../adapters/runtime/scheduler/runOnce.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { JobRuns } from "../../../../../core/jobs/JobRuns.ts"
import { ClimateReports } from "../../../../../core/lanes/weather/ports.ts"
import { stations } from "../../../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../../../core/time.ts"
import { Jobs } from "../../../../../services/jobs.ts"
import { archiveRoutes, productRoutes } from "../../../../support/climateUpstreams.ts"
import { clockAt, type SetClock } from "../../../../support/clock.ts"
import { faults } from "../../../../support/faults.ts"
import { registerOf } from "../../../../support/feeds.ts"
import { patient } from "../../../../support/policy.ts"
import { describeRealData } from "../../../../support/realData.ts"
import { json, type Replay, type Route, replay } from "../../../../support/replay.ts"
import { settings } from "../../../../support/running.ts"
import { jobsOf } from "../../../../support/world.ts"

const hour = 3_600_000
const now = Date.UTC(2026, 6, 9, 18)

describe("the jobs of a mode", () => {
  const expected = { mock: [], shadow: ["weather-reports"], live: ["weather-reports"] }
  for (const [mode, names] of Object.entries(expected)) {
    it.effect(`${mode}: ${names.join(", ") || "no reports"}`, () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        assert.deepStrictEqual(
          jobs.map(({ name }) => name).filter((name) => name === "weather-reports"),
          names,
        )
      }).pipe(
        Effect.provide(
          jobsOf(settings({ weather: mode as keyof typeof expected })).pipe(
            Layer.provide(Layer.merge(sqlite.layer(":memory:"), secrets.layer)),
          ),
        ),
      ),
    )
  }
})

interface World {
  readonly clock: SetClock
  readonly nws: Replay
  readonly iem: Replay
  /** Runs the job once. */
  readonly run: Effect.Effect<Attempt>
}

/** The job over a store of its own and two upstreams on this machine. */
const inWorld = <A, E>(
  body: (world: World, reports: typeof ClimateReports.Service) => Effect.Effect<A, E>,
  routes: (now: () => number) => ReadonlyArray<Route> = productRoutes,
  archive: (now: () => number) => ReadonlyArray<Route> = archiveRoutes,
  start = now,
) =>
  Effect.gen(function* () {
    const clock = clockAt(start)
    const at = () => clock.unsafeCurrentTimeMillis()
    const [nws, iem] = [yield* replay(routes(at)), yield* replay(archive(at))]
    const upstreams = { nws: nws.url, iem: iem.url, userAgent: "market-signals (tests)" }
    return yield* Effect.gen(function* () {
      const job = yield* weatherReportsJob
      const runs = yield* JobRuns
      // A slot is run once; by hand, the instant is the slot.
      const later = Effect.sync(() => clock.set(clock.unsafeCurrentTimeMillis() + 1_000))
      const run = Effect.orDie(Effect.zipRight(later, Effect.provideService(runOnce(job), JobRuns, runs)))
      return yield* body({ clock, nws, iem, run }, yield* ClimateReports)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.mergeAll(sql.layerArchive, sql.layerReports, registerOf("weather", "live")).pipe(
            Layer.provide(sqlite.layer(":memory:")),
          ),
          JobRuns.layerMemory,
          Layer.merge(Nws.layer(upstreams, patient), Iem.layer(upstreams, { ...patient, gapMs: 0 })).pipe(
            Layer.provide(FetchHttpClient.layer),
          ),
          Logger.minimumLogLevel(LogLevel.None),
        ),
      ),
      Effect.withClock(clock),
    )
  })

const finished = (outcome: "ok" | "failed", detail: string | RegExp, attempt: Attempt): void => {
  assert.strictEqual(attempt._tag, "Finished")
  if (attempt._tag !== "Finished") return
  assert.strictEqual(attempt.outcome, outcome, attempt.detail)
  if (typeof detail === "string") assert.strictEqual(attempt.detail, detail)
  else assert.isTrue(detail.test(attempt.detail), attempt.detail)
}

/** The mock offices' reports of a station's days, without the office's name. */
const expectedOf = (id: string, start: string, end: string) =>
  Effect.flatMap(ClimateReports, (reports) => reports.range(id, start, end)).pipe(
    Effect.provide(mock.layerReports),
    Effect.map((days) =>
      days.map((versions) => versions.map((each) => ({ ...each, source: "NWS daily climate report" }))),
    ),
  )

const saysTheSame = (reports: typeof ClimateReports.Service, start: string, end: string) =>
  Effect.forEach(stations, ({ id }) =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* reports.range(id, start, end), yield* expectedOf(id, start, end), id)
    }),
  )

const textsAsked = ({ requests }: Replay): number => requests.filter(({ path }) => /\/products\/\d/.test(path)).length

describe("the job of the reports", () => {
  it.scopedLive("stores what the stations' offices issued lately, and then what is new alone", () =>
    inWorld(({ run, nws, iem, clock }, reports) =>
      Effect.gen(function* () {
        const first = yield* run
        finished("ok", /^\d+ new, 0 known$/, first)
        yield* saysTheSame(reports, "2026-07-03", "2026-07-09")
        const asked = textsAsked(nws)
        finished("ok", "0 new, 0 known", yield* run)
        assert.strictEqual(textsAsked(nws), asked)
        // By the evening the offices have issued a report of today.
        clock.set(now + 8 * hour)
        finished("ok", "9 new, 0 known", yield* run)
        assert.strictEqual(textsAsked(nws), asked + 9)
        yield* saysTheSame(reports, "2026-07-03", "2026-07-09")
        assert.strictEqual(iem.requests.length, 0)
      }),
    ),
  )

  it.scopedLive("makes up for days on which it did not run", () =>
    inWorld(({ run, clock }, reports) =>
      Effect.gen(function* () {
        yield* run
        clock.set(now + 4 * 24 * hour)
        finished("ok", /^\d+ new, 0 known$/, yield* run)
        yield* saysTheSame(reports, "2026-07-03", "2026-07-13")
      }),
    ),
  )

  it.scopedLive("takes from the archive's copy what the weather service does not give", () =>
    inWorld(({ run, nws, iem, clock }, reports) =>
      Effect.gen(function* () {
        nws.spoil(faults.forbidden)
        finished(
          "failed",
          /^upstream_unavailable: \d+ new, 0 known; .*KNYC: The National Weather Service answered with an error \(status 403\)\./,
          yield* run,
        )
        for (const { id } of stations) assert.strictEqual(yield* reports.latestFinalDay(id, "2026-07-09"), "2026-07-08")
        const [newest] = yield* reports.versions("KNYC", "2026-07-08")
        assert.strictEqual(newest?.source, "Iowa Environmental Mesonet, archive of text products")
        const asked = iem.requests.length
        // A stored report is recognised from either source, once the pause is over.
        nws.spoil()
        clock.set(now + hour)
        finished("ok", "0 new, 0 known", yield* run)
        assert.deepStrictEqual([textsAsked(nws), iem.requests.length], [0, asked])
      }),
    ),
  )

  it.scopedLive("asks the archive's copy when the weather service lacks a report that is overdue", () =>
    inWorld(
      ({ run, iem }, reports) =>
        Effect.gen(function* () {
          finished("ok", /^\d+ new, 0 known$/, yield* run)
          assert.isAbove(iem.requests.length, 0)
          assert.strictEqual(yield* reports.latestFinalDay("KDEN", "2026-07-09"), "2026-07-08")
        }),
      () => [{ path: /^\/products\/types/, reply: json({ "@graph": [] }) }],
    ),
  )

  it.scopedLive("loses no station to another's outage", () =>
    inWorld(
      ({ run, iem }, reports) =>
        Effect.gen(function* () {
          iem.spoil(faults.serverError)
          const attempt = yield* run
          finished(
            "failed",
            /^upstream_unavailable: \d+ new, 0 known; .*KBOS: The National Weather Service .* The Iowa archive answered with an error.*; late: /,
            attempt,
          )
          for (const { id } of stations) {
            const expected = id === "KBOS" ? undefined : "2026-07-08"
            assert.strictEqual(yield* reports.latestFinalDay(id, "2026-07-09"), expected, id)
          }
        }),
      (at) => [{ path: "/products/types/CLI/locations/BOS", reply: { status: 500, body: "{}" } }, ...productRoutes(at)],
    ),
  )

  it.scopedLive("stores products read before a failure, and continues there the next time", () =>
    inWorld(({ run, nws, iem }, reports) =>
      Effect.gen(function* () {
        iem.spoil(faults.serverError)
        // The list of the first station and two of its products; every later request fails.
        nws.spoilNext(faults.none, faults.none, faults.none)
        nws.spoil(faults.badGateway)
        finished("failed", /^upstream_unavailable: Final climate reports of KNYC: /, yield* run)
        const stored = Effect.map(reports.range("KNYC", "2026-07-01", "2026-07-09"), (days) =>
          days
            .flat()
            .map(({ issuedAt }) => issuedAt)
            .sort((a, b) => a - b),
        )
        const first = yield* stored
        assert.lengthOf(first, 2)
        nws.spoil()
        finished("ok", /^\d+ new, 0 known$/, yield* run)
        // The oldest are read first.
        assert.deepStrictEqual((yield* stored).slice(0, 2), first)
        yield* saysTheSame(reports, "2026-07-03", "2026-07-09")
      }),
    ),
  )

  it.scopedLive("names a product that it refuses, stores the others, and looks for a good copy", () =>
    inWorld(
      ({ run }, reports) =>
        Effect.gen(function* () {
          finished(
            "failed",
            /^upstream_unavailable: \d+ new, 0 known; .*MAXIMUM.*: The temperature under OBSERVED cannot be read\.$/,
            yield* run,
          )
          for (const [id, source] of [
            ["KNYC", "Iowa Environmental Mesonet, archive of text products"],
            ["KMIA", "NWS daily climate report"],
          ] as const) {
            const [newest] = yield* reports.versions(id, "2026-07-08")
            assert.deepStrictEqual([newest?.report.status, newest?.source], ["final", source])
          }
        }),
      (at) =>
        productRoutes(at).map((route) => ({
          ...route,
          reply: (seen) => {
            const payload = (route.reply as Extract<Route["reply"], (...args: never) => unknown>)(seen)
            return /20260709\d{4}-KOKX/.test(seen.path)
              ? { ...payload, body: String(payload.body).replace(/(MAXIMUM +)(\d)/, "$1X$2") }
              : payload
          },
        })),
    ),
  )

  // Every fault of each source has a test of its own; here, one of each kind.
  for (const name of ["reset", "truncated", "html", "wrongTypes", "forbidden"] as const) {
    it.scopedLive(`fails and stores nothing when both upstreams answer with ${name}`, () =>
      inWorld(({ run, nws, iem }, reports) =>
        Effect.gen(function* () {
          nws.spoil(faults[name])
          iem.spoil(faults[name])
          finished(
            "failed",
            /^upstream_unavailable: Final climate reports of KNYC: The National Weather Service/,
            yield* run,
          )
          for (const { id } of stations) {
            assert.deepStrictEqual(yield* reports.range(id, "2026-07-01", addDays("2026-07-01", 10)), [])
          }
        }),
      ),
    )
  }
})

describeRealData("recorded products", (root) => {
  const folder = join(root, "weather/cli")
  const texts = recordedProducts(folder)
  // Offices of the recorded products of July 2026, by the name of their file.
  const places: Readonly<Record<string, string>> = { nyc: "NYC", chi: "MDW", phl: "PHL", aus: "AUS" }

  it.scopedLive("are stored from the weather service's own addresses, verbatim", () =>
    inWorld(
      ({ run }, reports) =>
        Effect.gen(function* () {
          finished("failed", /^data_freshness_stale: 8 new, 0 known; late: /, yield* run)
          // Read by eye from the texts.
          const expected = [
            ["KNYC", "2026-07-08", 85, 64, "347 PM", "440 AM", "202607090626-KOKX-CDUS41-CLINYC"],
            ["KMDW", "2026-07-08", 89, 67, "2:56 PM", "4:31 AM", "202607090634-KLOT-CDUS43-CLIMDW"],
            ["KAUS", "2026-07-08", 99, 74, "3:38 PM", "5:03 AM", "202607090658-KEWX-CDUS44-CLIAUS"],
            ["KPHL", "2026-07-08", 86, 70, "4:24 PM", "6:34 AM", "202607090552-KPHI-CDUS41-CLIPHL"],
          ] as const
          for (const [id, day, high, low, highTime, lowTime, product] of expected) {
            const [newest] = yield* reports.versions(id, day)
            assert.deepStrictEqual(
              [
                newest?.report.highF,
                newest?.report.lowF,
                newest?.report.highTimeLocal,
                newest?.report.lowTimeLocal,
                newest?.productId,
              ],
              [high, low, highTime, lowTime, product],
              id,
            )
          }
        }),
      () => [
        ...Object.entries(places).map(
          ([file, place]): Route => ({
            path: `/products/types/CLI/locations/${place}`,
            reply: json({
              "@graph": texts
                .filter((name) => name.includes(`_${file}_`))
                .map((name) => ({ id: name.replace(/[_.]/g, "-"), issuanceTime: "2026-07-09T12:00:00+00:00" })),
            }),
          }),
        ),
        { path: /^\/products\/types/, reply: json({ "@graph": [] }) },
        ...texts.map(
          (name): Route => ({
            path: `/products/${name.replace(/[_.]/g, "-")}`,
            reply: () => json({ productText: readFileSync(join(folder, name), "latin1") }),
          }),
        ),
      ],
      () => [{ path: "/api/1/nws/afos/list.json", reply: json({ data: [] }) }],
      Date.UTC(2026, 6, 9, 23),
    ),
  )
})

/** The recorded products of July 2026; none where there are no recorded data. */
function recordedProducts(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder).filter((name) => name.startsWith("2026-07_"))
  } catch {
    return []
  }
}
