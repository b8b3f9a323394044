import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Iem from "../../adapters/lanes/weather/iem/api.ts"
import * as live from "../../adapters/lanes/weather/liveReports.ts"
import * as sql from "../../adapters/lanes/weather/store/ClimateReports.ts"
import type { RequestPolicy } from "../../adapters/runtime/upstream/upstream.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { type ClimateArchive, ClimateReports } from "../../core/lanes/weather/ports.ts"
import { byId } from "../../core/lanes/weather/stations.ts"
import { clockAt, type SetClock } from "./clock.ts"
import { patient } from "./policy.ts"
import { type Replay, type Route, replay } from "./replay.ts"

const userAgent = "market-signals (tests)"

/** The live provider over an empty store and an archive at `url`. */
export const over = (url: string, policy: RequestPolicy = patient) =>
  live.layer.pipe(
    Layer.provide(Iem.layer({ iem: url, userAgent }, { ...policy, gapMs: 0 })),
    Layer.provideMerge(sql.layerArchive),
    Layer.provideMerge(sqlite.layer(":memory:")),
    Layer.provide([FetchHttpClient.layer, Feeds.layerNone]),
  )

/** Two in the afternoon in New York. */
export const now = Date.UTC(2026, 6, 9, 18)
export const newYork = byId.get("KNYC")!

/** Station and year of each question for a year. */
export const yearsAsked = ({ requests }: Replay): ReadonlyArray<string> =>
  requests
    .filter(({ path }) => path === "/json/cli.py")
    .map(({ query }) => `${query.get("station")} ${query.get("year")}`)

/** Reports and notes together. */
export const rowsStored = Effect.flatMap(SqlClient.SqlClient, (client) =>
  Effect.map(
    client<{ n: number }>`
      SELECT (SELECT COUNT(*) FROM climate_reports) + (SELECT COUNT(*) FROM climate_days_no_report) AS n`,
    ([row]) => row!.n,
  ),
)

/** A question to the provider, with the upstream and the clock at hand. */
export const asking = <A, E>(
  routes: ReadonlyArray<Route>,
  body: (
    reports: typeof ClimateReports.Service,
    upstream: Replay,
    clock: SetClock,
  ) => Effect.Effect<A, E, ClimateArchive | SqlClient.SqlClient | Scope.Scope>,
  policy: RequestPolicy = patient,
) =>
  Effect.gen(function* () {
    const upstream = yield* replay(routes)
    const clock = clockAt(now)
    return yield* Effect.flatMap(ClimateReports, (reports) => body(reports, upstream, clock)).pipe(
      Effect.provide(over(upstream.url, policy)),
      Effect.withClock(clock),
    )
  })

/** A row of the archive. */
export type Row = Readonly<Record<string, unknown>>

/** After so long a note that there is no report is too old. */
export const noteLasts = 30 * 86_400_000
