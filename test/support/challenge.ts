import * as SqlClient from "@effect/sql/SqlClient"
import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as challenge from "../../adapters/lanes/markets/store/Challenge.ts"
import * as contracts from "../../adapters/lanes/markets/store/Contracts.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as captures from "../../adapters/store/record/Captures.ts"
import * as sqlSettled from "../../adapters/store/record/Settled.ts"
import { CurrentCaller } from "../../core/account/CurrentCaller.ts"
import { parse } from "../../core/call/Subject.ts"
import type { Priced } from "../../core/contracts/Contract.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { Markets } from "../../core/lanes/markets/Markets.ts"
import { ContractStore, MarketHistory, SignalCalls } from "../../core/lanes/markets/ports.ts"
import { toRecordedQuote } from "../../core/lanes/markets/rounds.ts"
import { Captures, captureSignal } from "../../core/record/captures/Captures.ts"
import { toInputs } from "../../core/record/captures/RecordInputs.ts"
import { inAnyStore } from "./anyStore.ts"
import { contract, noon } from "./contracts.ts"

/** The markets lane in live mode over a fresh store, of the kind that the run tests. */
export const liveMarkets = Markets.layer.pipe(
  Layer.provide([SignalCalls.layerNone, MarketHistory.layerNone]),
  Layer.provideMerge(
    Layer.mergeAll(
      contracts.layerOpenContracts([]),
      sqlSettled.layerSettledRows,
      sqlSettled.layerScoreboard,
      challenge.layer,
    ),
  ),
  Layer.provideMerge(Layer.mergeAll(captures.layer, contracts.layerStore, sqlSettled.layerStore)),
  Layer.provideMerge(Layer.merge(secrets.layer, Feeds.layerNone)),
  Layer.provideMerge(inAnyStore),
)

/** Accounts by their ids. */
export const accounts = (...ids: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(ids, (id) => sql`INSERT INTO accounts ${sql.insert({ id, name: id, created_at: 1 })}`),
  )

/** As many contracts of one event and close; each has its number in the ticker. */
export const many = (count: number): ReadonlyArray<Priced> =>
  Array.from({ length: count }, (_, at) => contract({ ticker: `KXHIGHNY-26JUL12-T${at}` }))

/** A capture of contracts: by the job of that time, which reads the books itself, or by a call, which has those of `quotedAt`. */
export const capture = (open: ReadonlyArray<Priced>, at: number, quotedAt?: number) =>
  Effect.gen(function* () {
    const record = {
      ...{ lane: "weather", endpoint: "weather_signal", subject: parse("KNYC/2026-07-12"), at, params: {} },
      ...{ modelVersion: "temperature-t8-1.0", output: () => ({}), inputs: toInputs({}) },
      closeTime: open[0]!.closeTime,
    }
    const priced = open.map((contract) => ({ ...contract, quotedAt: quotedAt ?? at }))
    const occasion =
      quotedAt === undefined ? ({ kind: "scheduled", slot: at } as const) : ({ kind: "on_demand" } as const)
    const one = yield* captureSignal(record, occasion, priced, priced.map(toRecordedQuote))
    yield* (yield* Captures).append([one])
  })

/** Open contracts as after a poll at noon, and captured by the job of that hour. */
export const listed = (open: ReadonlyArray<Priced>) =>
  Effect.gen(function* () {
    yield* (yield* ContractStore).replace("kalshi", "weather", open, noon)
    yield* capture(open, noon)
  })

const asking = <A, E, R>(account: string, effect: Effect.Effect<A, E, R>, agent?: string) =>
  Effect.flatMap(Clock.currentTimeMillis, (startedAt) =>
    Effect.provideService(effect, CurrentCaller, {
      caller: {
        ...{ accountId: account, keyId: "key_1", livemode: true, perMinute: 60, tier: "pro", scopes: undefined },
        ...(agent === undefined ? {} : { agent: { id: agent, paused: false } }),
      } as never,
      startedAt,
    }),
  )

/** Opinions of an account, or of one of its agents: probabilities by ticker. */
export const opine = (account: string, model: string, said: Readonly<Record<string, number>>, agent?: string) =>
  asking(
    account,
    Effect.flatMap(Markets, ({ benchOpinions }) =>
      benchOpinions({ model, opinions: Object.entries(said).map(([market, prob]) => ({ market, prob })) }),
    ),
    agent,
  ).pipe(Effect.map(({ results }) => results))

export const withdraw = (account: string, model: string) =>
  asking(
    account,
    Effect.flatMap(Markets, ({ benchWithdraw }) => benchWithdraw({ model })),
  ).pipe(Effect.map(({ results }) => results))

export const table = Effect.flatMap(Markets, ({ benchModels }) => Effect.map(benchModels({}), ({ results }) => results))

/** A test over a fresh store with two accounts and open contracts, at noon of the day before their close. */
export const overStore = (
  sentence: string,
  body: Effect.Effect<void, unknown, Layer.Layer.Success<typeof liveMarkets>>,
  open = many(3),
) =>
  it.effect(sentence, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      yield* accounts("acct_a", "acct_b")
      yield* listed(open)
      yield* body
    }).pipe(Effect.provide(liveMarkets)),
  )

/** A ticker of `many`. */
export const t = (at: number): string => `KXHIGHNY-26JUL12-T${at}`
