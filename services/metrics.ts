import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Counts } from "../adapters/runtime/telemetry/counts.ts"
import { byLabel, type Family, gauge, text } from "../adapters/runtime/telemetry/exposition.ts"
import * as ProcessVitals from "../adapters/runtime/telemetry/processVitals.ts"
import { sample } from "../adapters/runtime/telemetry/sampled.ts"
import { type Ready, type Report, reasonKinds } from "../adapters/server/http/health.ts"
import * as OperatorServers from "../adapters/server/http/operatorServers.ts"
import { gasBalance } from "../adapters/server/payments/x402/facilitator.ts"
import { DiskSpace } from "../adapters/store/engine/diskGuard.ts"
import {
  type Gauges,
  gauges,
  lookedAt,
  mostCounted,
  unsettled,
  unsettledStates,
} from "../adapters/store/upkeep/gauges.ts"
import type { Failure } from "../core/Failure.ts"
import * as Release from "../core/release.ts"
import type { Settings } from "./Config.ts"

/** Cache time of figures that need a query, since there may be several collectors. */
const cacheTime = "5 seconds"

/** Cache time of figures that change slowly or cost more. */
const keptLonger = "1 minute"

/** A store that takes longer is reported as not answering. */
const timeLimit = "2 seconds"

/** Not `job`, which Prometheus uses for the name of the target. */
const jobLabel = "job_name"

const unavailable: Report = { status: "unavailable" }

const flag = (isSet: boolean): number => (isSet ? 1 : 0)

const seconds = (at: string | null | undefined): number | undefined =>
  at === null || at === undefined ? undefined : Date.parse(at) / 1_000

/** A gauge with a series for each value of a label. */
const perLabel = (name: string, help: string, label: string, values: Iterable<readonly [string, number]>) =>
  byLabel("gauge", name, help, label, values)

const seriesWithValue = <A>(rows: ReadonlyArray<A>, of: (row: A) => readonly [string, number | undefined]) =>
  rows.flatMap((row): ReadonlyArray<readonly [string, number]> => {
    const [key, value] = of(row)
    return value === undefined ? [] : [[key, value]]
  })

/** The register of feeds as series. */
const ofFeeds = (feeds: NonNullable<Report["feeds"]>): ReadonlyArray<Family> => [
  perLabel(
    "market_signals_feed_missing_periods",
    "Periods of a feed that are due and not there; above 0, calls that need them are refused or flagged.",
    "feed",
    feeds.map(({ feed, missing }) => [feed, missing] as const),
  ),
  perLabel(
    "market_signals_feed_refused",
    "1: the last attempt to read a feed brought nothing usable.",
    "feed",
    feeds.map(
      ({ feed, refusal, last_good_at }) =>
        [feed, flag(refusal !== null && (last_good_at === null || refusal.at > last_good_at))] as const,
    ),
  ),
  perLabel(
    "market_signals_feed_new_fields",
    "Columns or fields that came later than the first ones: the source has changed its shape.",
    "feed",
    feeds.map(({ feed, new_fields }) => [feed, new_fields.length] as const),
  ),
  perLabel(
    "market_signals_feed_last_success_timestamp_seconds",
    "The last attempt to read a feed that was read, as Unix time.",
    "feed",
    seriesWithValue(feeds, ({ feed, last_good_at }) => [feed, seconds(last_good_at)]),
  ),
]

/** The readiness report as series, so that monitoring cannot differ from /readyz. */
const ofReport = (report: Report): ReadonlyArray<Family> => {
  const { status, lanes = [], feeds = [], jobs = [], record, sources = [], disk } = report
  return [
    perLabel(
      "market_signals_state",
      "1 for the state that /readyz reports, 0 for the others.",
      "state",
      ["ready", "degraded", "unavailable"].map((state) => [state, flag(state === status)] as const),
    ),
    perLabel(
      "market_signals_reasons",
      "Why the service is not ready, as /readyz says: how many there are of each kind.",
      "reason",
      reasonKinds.map((kind) => [kind, (report.reasons ?? []).filter(({ reason }) => reason === kind).length] as const),
    ),
    gauge(
      "market_signals_disk_guard",
      "1: the store's disk is nearly full, so that free calls are counted and not stored.",
      disk && flag(disk.low),
    ),
    perLabel(
      "market_signals_upstream_paused",
      "1: a source does not answer, and calls that need it are refused at once.",
      "upstream",
      sources.map(({ source, answers }) => [source, flag(!answers)] as const),
    ),
    perLabel(
      "market_signals_lane_data_timestamp_seconds",
      "Newest data of a live lane with a feed, as Unix time.",
      "lane",
      seriesWithValue(lanes, ({ lane, last_good_at }) => [lane, seconds(last_good_at)]),
    ),
    perLabel(
      "market_signals_lane_data_stale",
      "1: a live lane lacks data that are due.",
      "lane",
      lanes.map(({ lane, stale }) => [lane, flag(stale)] as const),
    ),
    ...ofFeeds(feeds),
    perLabel(
      "market_signals_job_last_success_timestamp_seconds",
      "End of a job's last successful run, as Unix time.",
      jobLabel,
      seriesWithValue(jobs, ({ name, last_ok_at }) => [name, seconds(last_ok_at)]),
    ),
    perLabel(
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
}

/** Figures of the store, and whether it answers. */
const ofStore = (figures: Gauges | undefined): ReadonlyArray<Family> => [
  gauge(
    "market_signals_store_answers",
    "1: the store answered the questions of this scrape.",
    flag(figures !== undefined),
  ),
  gauge("market_signals_store_bytes", "Size of the database.", figures?.bytes),
  gauge(
    "market_signals_webhook_deliveries_due",
    `Deliveries of webhooks that may be sent now, ${mostCounted} at most.`,
    figures?.due,
  ),
  gauge("market_signals_webhook_dead_letters", `Deliveries given up, ${mostCounted} at most.`, figures?.dead),
  gauge(
    "market_signals_backup_timestamp_seconds",
    "The last backup by this program's verb, as Unix time. None on PostgreSQL, which has its own tools.",
    figures?.backupAt && figures.backupAt / 1_000,
  ),
  gauge(
    "market_signals_usage_lag_seconds",
    "Time since the oldest call that is not in the sums of usage; 0: all are. Up to five minutes are usual on SQLite.",
    figures && figures.usageLagMs / 1_000,
  ),
]

const ofOrders = (figures: Effect.Effect.Success<typeof unsettled> | undefined): ReadonlyArray<Family> => {
  const rows = figures === undefined ? [] : unsettledStates.map((state) => [state, figures[state]] as const)
  return [
    perLabel(
      "market_signals_orders_unsettled",
      `Payments that nobody has made yet (open), or of another amount than asked for (mismatched), among the newest ${lookedAt}.`,
      "state",
      rows.map(([state, { count }]) => [state, count] as const),
    ),
    perLabel(
      "market_signals_orders_unsettled_oldest_timestamp_seconds",
      "The oldest of them, as Unix time.",
      "state",
      seriesWithValue(rows, ([state, { oldestAt }]) => [state, oldestAt && oldestAt / 1_000]),
    ),
  ]
}

/** A query to the store, undefined if it does not answer in time. */
const within = <A, R>(question: Effect.Effect<A, Failure, R>): Effect.Effect<A | undefined, never, R> =>
  question.pipe(Effect.interruptible, Effect.timeout(timeLimit), Effect.option, Effect.map(Option.getOrUndefined))

/** Gauges read at scrape time. */
const readGauges = (ready: Ready, orders: Effect.Effect<Effect.Effect.Success<typeof unsettled> | undefined>) =>
  Effect.gen(function* () {
    const { report } = yield* Effect.orElseSucceed(ready, () => ({ report: unavailable }))
    const { freeBytes } = yield* (yield* DiskSpace).state
    return [
      ...ofReport(report),
      gauge("market_signals_disk_free_bytes", "Free on the disk of the store's file.", freeBytes),
      ...ofStore(yield* within(gauges)),
      ...ofOrders(yield* orders),
    ]
  })

/** The balance that pays the gas of payments, read at most once a minute. */
const gasGauges = ({ payments: { x402 } }: Settings) =>
  Effect.gen(function* () {
    const read = Option.isNone(x402) ? undefined : yield* gasBalance(x402.value)
    const last = read && (yield* sample(read, keptLonger))
    return (): ReadonlyArray<Family> => [
      gauge(
        "market_signals_x402_gas_balance",
        "Balance of the key that pays gas, in the chain's currency.",
        last?.().value,
      ),
      {
        name: "market_signals_x402_gas_read_failures_total",
        help: "Reads of that balance that failed.",
        type: "counter",
        samples: last === undefined ? [] : [{ value: last().failures }],
      },
    ]
  }).pipe(
    // These settings were checked at the start.
    Effect.catchAll((unusable) => Effect.die(unusable)),
  )

/** The metrics on their own listener, if METRICS_LISTEN is set. */
export const layer = (config: Settings, counts: Counts | undefined, ready: Ready) => {
  const {
    metrics: { listen },
    postgres,
  } = config
  if (Option.isNone(listen) || counts === undefined)
    return Layer.succeed(OperatorServers.MetricsAddress, { address: undefined })
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
      const context = yield* Effect.context<DiskSpace | SqlClient.SqlClient>()
      const orders = Effect.provide(yield* Effect.cachedWithTTL(within(unsettled), keptLonger), context)
      const gas = yield* gasGauges(config)
      // Uninterruptible: if the first collector disconnects, others wait for the same answers.
      const reading = Effect.uninterruptible(
        yield* Effect.cachedWithTTL(Effect.provide(readGauges(ready, orders), context), cacheTime),
      )
      return OperatorServers.layerMetrics(
        Effect.map(reading, (families) => text([build, ...counts.families(), ...vitals(), ...gas(), ...families])),
        { listenOn: listen.value },
      )
    }),
  )
}
