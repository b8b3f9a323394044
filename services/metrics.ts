import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Ready, Report } from "../adapters/http/health.ts"
import * as MetricsServer from "../adapters/http/metricsServer.ts"
import type { ListenError } from "../adapters/http/server.ts"
import { type Gauges, gauges, mostCounted } from "../adapters/sql/gauges.ts"
import type { Counts } from "../adapters/telemetry/counts.ts"
import { by, type Family, gauge, text } from "../adapters/telemetry/exposition.ts"
import * as ProcessVitals from "../adapters/telemetry/processVitals.ts"
import type { RateLimits } from "../core/account/RateLimits.ts"
import type { Gateway } from "../core/gateway/Gateway.ts"
import * as Release from "../core/release.ts"
import type { Settings } from "./Config.ts"

/** Cache time of the figures that need a query: several collectors may ask. */
const kept = "5 seconds"

/** A store that takes longer is reported as one that does not answer. */
const timeLimit = "2 seconds"

/** Not `job`, which is the name of a target's own label in Prometheus. */
const jobLabel = "job_name"

const unavailable: Report = { status: "unavailable" }

const flag = (isSet: boolean): number => (isSet ? 1 : 0)

const seconds = (at: string | null | undefined): number | undefined =>
  at === null || at === undefined ? undefined : Date.parse(at) / 1_000

/** Series of those rows that have a value. */
const known = <A>(rows: ReadonlyArray<A>, of: (row: A) => readonly [string, number | undefined]) =>
  rows.flatMap((row): ReadonlyArray<readonly [string, number]> => {
    const [key, value] = of(row)
    return value === undefined ? [] : [[key, value]]
  })

/** The report of readiness as series: what /readyz says and what is monitored cannot differ. */
const ofReport = ({ status, lanes = [], jobs = [], record }: Report): ReadonlyArray<Family> => [
  by(
    "gauge",
    "market_signals_state",
    "1 for the state that /readyz reports, 0 for the others.",
    "state",
    ["ready", "degraded", "unavailable"].map((state) => [state, flag(state === status)] as const),
  ),
  by(
    "gauge",
    "market_signals_lane_data_timestamp_seconds",
    "Newest data of a live lane with a feed, as Unix time.",
    "lane",
    known(lanes, ({ lane, last_good_at }) => [lane, seconds(last_good_at)]),
  ),
  by(
    "gauge",
    "market_signals_lane_data_stale",
    "1: the data of a live lane are older than its feed's schedule allows.",
    "lane",
    lanes.map(({ lane, stale }) => [lane, flag(stale)] as const),
  ),
  by(
    "gauge",
    "market_signals_job_last_success_timestamp_seconds",
    "End of a job's last successful run, as Unix time.",
    jobLabel,
    known(jobs, ({ name, last_ok_at }) => [name, seconds(last_ok_at)]),
  ),
  by(
    "gauge",
    "market_signals_job_overdue",
    "1: a job has had no success for two of its periods and a minute.",
    jobLabel,
    jobs.map(({ name, overdue }) => [name, flag(overdue)] as const),
  ),
  gauge("market_signals_record_leaves", "Leaves of the record.", record?.leaves),
  gauge(
    "market_signals_record_unsigned_leaves",
    "Leaves that no checkpoint has yet.",
    record && record.leaves - (record.last_checkpoint?.size ?? 0),
  ),
  gauge(
    "market_signals_record_checkpoint_timestamp_seconds",
    "The last signed checkpoint, as Unix time.",
    seconds(record?.last_checkpoint?.at),
  ),
  gauge("market_signals_record_refused", "1: the record cannot be signed.", record && flag(record.refused !== null)),
]

/** A store that does not answer has no figures, and that is a figure. */
const ofStore = (found: Gauges | undefined): ReadonlyArray<Family> => [
  gauge(
    "market_signals_store_answers",
    "1: the store answered the questions of this scrape.",
    flag(found !== undefined),
  ),
  gauge("market_signals_store_bytes", "Size of the database.", found?.bytes),
  gauge(
    "market_signals_webhook_deliveries_due",
    `Deliveries of webhooks that may be sent now, ${mostCounted} at most.`,
    found?.due,
  ),
  gauge("market_signals_webhook_dead_letters", `Deliveries given up, ${mostCounted} at most.`, found?.dead),
]

/** What has to be asked for. */
const asked = (ready: Ready): Effect.Effect<ReadonlyArray<Family>, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const { report } = yield* Effect.orElseSucceed(ready, () => ({ report: unavailable }))
    const store = yield* gauges.pipe(Effect.interruptible, Effect.timeout(timeLimit), Effect.option)
    return [...ofReport(report), ...ofStore(Option.getOrUndefined(store))]
  })

/** The metrics on their own listener, if METRICS_LISTEN is set. */
export const layer = (
  { metrics: { listen }, postgres }: Settings,
  counts: Counts | undefined,
  ready: Ready,
): Layer.Layer<MetricsServer.MetricsAddress, ListenError, Gateway | RateLimits | SqlClient.SqlClient> => {
  if (Option.isNone(listen) || counts === undefined)
    return Layer.succeed(MetricsServer.MetricsAddress, { at: undefined })
  const build: Family = {
    name: "market_signals_build_info",
    help: "1; its labels say what runs.",
    type: "gauge",
    samples: [
      {
        labels: {
          version: Release.version,
          node: process.versions.node,
          store: Option.isSome(postgres) ? "postgresql" : "sqlite",
        },
        value: 1,
      },
    ],
  }
  return Layer.unwrapScoped(
    Effect.gen(function* () {
      const vitals = yield* ProcessVitals.make
      const context = yield* Effect.context<SqlClient.SqlClient>()
      // Uninterruptible: if the first collector disconnects, others wait for the same answers.
      const found = Effect.uninterruptible(yield* Effect.cachedWithTTL(Effect.provide(asked(ready), context), kept))
      return MetricsServer.layer(
        Effect.map(found, (families) => text([build, ...counts.families(), ...vitals(), ...families])),
        { place: listen.value },
      )
    }),
  )
}
