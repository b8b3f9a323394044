import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import * as Subject from "../../call/Subject.ts"
import type { Priced, VenueResult } from "../../contracts/Contract.ts"
import type { PricedSignal } from "../../contracts/ContractPricing.ts"
import type { Failure } from "../../Failure.ts"
import type { Due } from "../../feeds/Due.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import { hourly, type Schedule } from "../../jobs/schedule.ts"
import { Captures, captureSignal } from "../../record/captures/Captures.ts"
import type { RecordInputs } from "../../record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../record/log/SyncSha256.ts"
import type { Domain } from "../../record/scoreboard/Settled.ts"
import { day } from "../../time.ts"
import { wire } from "../../wire.ts"
import { bookFeed, resultFeed } from "./coverage.ts"
import {
  ContractStore,
  type PartialResult,
  PricingLanes,
  Scoreboard,
  SourceResults,
  type UnsettledContract,
  type Venue,
  Venues,
} from "./ports.ts"

/** Why a venue, or part of a request to it, could not be read. */
interface Refusal {
  readonly venue: string
  readonly reason: string
}

/** The result of a round over venues. A failed venue does not affect the others. */
export interface PollResult {
  readonly done: number
  readonly refusals: ReadonlyArray<Refusal>
  /**
   * Why data that was read is unusable, through no fault of ours. Reported with the refusals; does not fail the run.
   */
  readonly notes: ReadonlyArray<Refusal>
  /** All refusals and notes, and further warnings, as text. */
  readonly warnings: ReadonlyArray<string>
  /** One failure for each source that failed entirely. */
  readonly failures: ReadonlyArray<Failure>
  readonly sources: number
}

const summarize = (
  failed: ReadonlyArray<{ readonly venue: string; readonly label: string; readonly failure: Failure }>,
  results: ReadonlyArray<Pick<PollResult, "done" | "refusals" | "warnings"> & Partial<Pick<PollResult, "notes">>>,
  sources: number,
): PollResult => {
  const refusals = [
    ...failed.map(({ venue, label, failure }) => ({ venue, reason: `${label}: ${failure.message}` })),
    ...results.flatMap((round) => round.refusals),
  ]
  const notes = results.flatMap((round) => round.notes ?? [])
  return {
    done: results.reduce((sum, { done }) => sum + done, 0),
    refusals,
    notes,
    warnings: [...[...refusals, ...notes].map(({ reason }) => reason), ...results.flatMap(({ warnings }) => warnings)],
    failures: failed.map(({ failure }) => failure),
    sources,
  }
}

const toRefusals = (venue: string, where: string, failed: PartialResult<unknown>["failed"]): ReadonlyArray<Refusal> =>
  failed.map(({ part, failure }) => ({ venue, reason: `${where} ${part}: ${failure.message}` }))

const toUnpriced =
  (venue: string, where: string) =>
  (source: string): Refusal => ({
    venue,
    reason: `${where}: contracts that settle on "${source}" are not priced: no model knows this source (settlement_source_unknown).`,
  })

const reportAttempts = (
  toFeed: (venue: string) => Due,
  venues: ReadonlyArray<string>,
  { refusals, notes }: Pick<PollResult, "refusals" | "notes">,
) =>
  Effect.gen(function* () {
    const { attempted } = yield* Feeds
    const now = yield* Clock.currentTimeMillis
    yield* attempted(
      venues.map((name) => {
        const reasons = [...refusals, ...notes].flatMap(({ venue, reason }) => (venue === name ? [reason] : []))
        return { feed: toFeed(name), at: now, ...(reasons.length > 0 && { refusal: reasons.join(" ") }) }
      }),
    )
  })

/** Polls a venue's open contracts of one domain, prices them, and replaces the stored ones. */
const pollDomain = (venue: Venue, domain: Domain) =>
  Effect.gen(function* () {
    const models = yield* PricingLanes
    const store = yield* ContractStore
    const { items, failed, notes = [] } = yield* venue.open(domain)
    const { signals, warnings, unknownSources } = yield* models.price(items)
    const now = yield* Clock.currentTimeMillis
    const contracts = signals.flatMap(({ contracts }) => contracts)
    yield* store.replace(
      venue.name,
      domain,
      contracts,
      now,
      failed.map(({ part }) => part),
    )
    const where = `${venue.name} ${domain}`
    return {
      signals,
      refusals: toRefusals(venue.name, where, failed),
      notes: [
        ...notes.map((reason) => ({ venue: venue.name, reason: `${where}: ${reason}` })),
        ...unknownSources.map(toUnpriced(venue.name, where)),
      ],
      warnings,
      done: contracts.length,
    }
  })

/** Polls every venue in every domain, one after the other; a failure does not stop the rest. */
const pollAll = Effect.gen(function* () {
  const venues = yield* Venues
  const polls = venues.flatMap((venue) => venue.domains.map((domain) => ({ venue, domain })))
  const [failed, polled] = yield* Effect.partition(polls, ({ venue, domain }) =>
    Effect.mapError(pollDomain(venue, domain), (failure) => ({
      failure,
      venue: venue.name,
      label: `${venue.name} ${domain}`,
    })),
  )
  const round = summarize(failed, polled, polls.length)
  yield* reportAttempts(bookFeed, [...new Set(polls.map(({ venue }) => venue.name))], round)
  return { signals: polled.flatMap(({ signals }) => signals), round }
})

/** Polls all open contracts: `done` counts those that a model prices. */
export const refresh: Effect.Effect<PollResult, Failure, ContractStore | Feeds | PricingLanes | Venues> = Effect.map(
  pollAll,
  ({ round }) => round,
)

const pickTerms = wire<Priced>()([
  "venue",
  "series",
  "event",
  "ticker",
  "strikeType",
  "floorStrike",
  "capStrike",
  "closeTime",
  "quotedAt",
])
const pickBidAsk = wire<Priced["bidAsk"]>()(["yesBid", "yesAsk", "noAsk"])
const pickModel = wire<Priced>()(["feeRate", "model"])
const pickSources = wire<Priced["basis"]>()(["modelSource", "venueSource"])

export const toRecordedQuote = (contract: Priced) => ({
  ...pickTerms(contract),
  ...pickBidAsk(contract.bidAsk),
  ...pickModel(contract),
  pool_weight: contract.poolWeight ?? 0,
  ...pickSources(contract.basis),
})

export const captureSlots: Schedule = hourly(0)

/**
 * Polls all open contracts and captures model and venue prices for a slot. A slot is stored once, however often it is
 * captured; closed contracts are skipped.
 *
 * @param slot epoch milliseconds
 * @returns `done` counts the captured contracts
 */
export const capture = (
  slot: number,
): Effect.Effect<
  PollResult,
  Failure,
  Captures | ContractStore | Feeds | SyncSha256 | PricingLanes | RecordInputs | PlatformCrypto | Scoreboard | Venues
> =>
  Effect.gen(function* () {
    const captures = yield* Captures
    const { signals, round } = yield* pollAll
    const { weights } = yield* Effect.flatMap(Scoreboard, (scoreboard) => scoreboard.weights)
    const now = yield* Clock.currentTimeMillis
    const offered = yield* Effect.forEach(mergeBySubject(signals), ({ record, subject, contracts }) => {
      const open = contracts
        .filter(({ closeTime }) => Math.max(now, slot) < closeTime)
        .map((contract) => ({ ...contract, poolWeight: weights[contract.domain].weight }))
      return open.length === 0
        ? Effect.succeed([])
        : Effect.map(
            captureSignal(record, { kind: "scheduled", slot, subject }, open, open.map(toRecordedQuote)),
            (capture) => [capture],
          )
    })
    const taken = yield* captures.append(offered.flat())
    return { ...round, done: taken.reduce((sum, { contracts }) => sum + contracts.length, 0) }
  })

/** Merges the venues' contracts on one subject: a slot has one capture per subject. */
const mergeBySubject = (signals: ReadonlyArray<PricedSignal>): ReadonlyArray<PricedSignal> => {
  const bySubject = new Map<string, PricedSignal>()
  for (const signal of signals) {
    const name = `${signal.lane}/${Subject.show(signal.subject)}`
    const previous = bySubject.get(name)
    bySubject.set(
      name,
      previous === undefined ? signal : { ...previous, contracts: [...previous.contracts, ...signal.contracts] },
    )
  }
  return [...bySubject.values()]
}

/** For how long after the first result a contract is checked for corrections. */
const correctionWindowMs = 3 * day

/** Most contracts settled in one transaction; a venue may have ten thousand due. */
const maxSettledAtOnce = 1_000

/** The last outcome of each contract in `tickers`, in chunks; other contracts are left out. */
const lastResults = (
  outcomes: ReadonlyArray<VenueResult>,
  tickers: ReadonlySet<string>,
): ReadonlyArray<ReadonlyArray<VenueResult>> =>
  Arr.chunksOf(
    new Map(outcomes.flatMap((outcome) => (tickers.has(outcome.ticker) ? [[outcome.ticker, outcome]] : []))).values(),
    maxSettledAtOnce,
  )

/** Settles contracts of one venue, with the results of the models' own sources if there are any. */
const settleVenue = ({ name, outcomes }: Venue, due: ReadonlyArray<UnsettledContract>, voids: number) =>
  Effect.gen(function* () {
    const store = yield* ContractStore
    const sources = yield* SourceResults
    if (due.length === 0) return { done: 0, refusals: [], warnings: [] }
    const tickers = due.map(({ ticker }) => ticker)
    const voided = new Map(due.map(({ ticker, sourceVoided }) => [ticker, sourceVoided]))
    const { items, failed } = yield* outcomes(tickers)
    const parts = lastResults(items, new Set(tickers))
    const awaiting = yield* Effect.forEach(parts, (part) => store.awaitingSource(name, part, sources.revisableDomains))
    const { results, failed: unread, warnings } = yield* sources.read(awaiting.flat())
    // A voided result is replaced by the source's present one; while the source cannot be read, nothing changes.
    const waiting = new Set(unread.filter((ticker) => voided.get(ticker) !== undefined))
    const now = yield* Clock.currentTimeMillis
    const settled = yield* Effect.forEach(parts, (part) =>
      store.settle(
        name,
        part.flatMap((outcome) =>
          waiting.has(outcome.ticker)
            ? []
            : [
                {
                  ...outcome,
                  ...ifDefined("sourceResult", results.get(outcome.ticker)),
                  ...ifDefined("sourceVoided", voided.get(outcome.ticker)),
                },
              ],
        ),
        now,
        voids,
      ),
    )
    return { done: settled.reduce((sum, count) => sum + count, 0), refusals: toRefusals(name, name, failed), warnings }
  })

/** Settles closed contracts by the results of venues and of the models' own sources. `done` counts the new rows. */
export const settle: Effect.Effect<PollResult, Failure, ContractStore | Feeds | SourceResults | Venues> = Effect.gen(
  function* () {
    const venues = yield* Venues
    const store = yield* ContractStore
    const voids = yield* store.voids
    const due = yield* Clock.currentTimeMillis.pipe(Effect.flatMap((now) => store.due(now, now - correctionWindowMs)))
    const [failed, rounds] = yield* Effect.partition(venues, (venue) =>
      settleVenue(
        venue,
        due.filter((one) => one.venue === venue.name),
        voids,
      ).pipe(Effect.mapError((failure) => ({ failure, venue: venue.name, label: venue.name }))),
    )
    const round = summarize(failed, rounds, venues.length)
    yield* reportAttempts(
      resultFeed,
      venues.map(({ name }) => name),
      round,
    )
    return round
  },
)
