import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Recordable } from "../call/Recordable.ts"
import * as Subject from "../call/Subject.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import { fillPath, type QueryParams } from "../endpoint/path.ts"
import { type Failure, fail } from "../Failure.ts"
import { getOrMake } from "../getOrMake.ts"
import { ifDefined } from "../ifDefined.ts"
import type { Domain, Result } from "../record/scoreboard/Settled.ts"
import { type Contract, millionths, type Priced } from "./Contract.ts"

export interface SignalRequest<Params> {
  /** Contracts with one subject are priced from one signal, so their `params` are equal. */
  readonly subject: Subject.Subject
  readonly instrument: string
  readonly params: Params
}

/** Ids of a signal's subject, such as station and day, by name. */
export type SubjectIds = Readonly<Record<string, string | number>>

/** The call that answers the signal of a priced contract. */
export interface SignalCall {
  /** A canonical id: a station's day, a game, an asset. */
  readonly id: string
  readonly subject: SubjectIds
  /** The signal of the subject: a relative path with query. */
  readonly path: string
  /** `path` with the parameters without which the answer does not show this contract, such as its strikes. */
  readonly contractPath: string
}

/** The parts of a call, without the endpoint's path. */
export interface CallParts extends Pick<SignalCall, "id" | "subject"> {
  readonly params: QueryParams
  readonly contractParams?: QueryParams
}

/** Maps the contracts of one domain to one lane's signal, and decides them by the signal's own source. Pure. */
export interface Mapping<Params, Output, Value = never> {
  readonly domain: Domain
  readonly lane: string
  readonly endpoint: Pick<Endpoint.Any, "path">
  /**
   * The settlement sources, by name, that the model forecasts: a contract on another source gets no price and no result.
   * Absent: the fact does not depend on who reports it, such as a final score.
   */
  readonly sources?: RegExp
  /** Undefined for a contract without a model or with unknown terms: it is left out. */
  readonly toSignalRequest: (contract: Contract, now: number) => SignalRequest<Params> | undefined
  /** The call that any customer makes for the signal of a priced contract; undefined where it does not accept one now. */
  readonly toCallParts: (contract: Priced, now: number) => CallParts | undefined
  /** The probability of yes; undefined where the output does not cover the contract. */
  readonly probability: (contract: Contract, output: Output) => number | undefined
  /**
   * Whether the contract pays yes, given the settling value. Undefined where the value does not decide it, and for
   * unknown terms.
   */
  readonly isYes: (contract: Contract, value: Value) => boolean | undefined
}

/** The part of a signal's answer that prices contracts. */
export interface SignalTerms {
  readonly record: Recordable<unknown>
  readonly modelSource: string
  /** Whether the venue settles this contract on the model's own source. */
  readonly isSame: (contract: Contract) => boolean
  /** How often the venue's other source matched the model's, such as `312 of 314`; absent where nothing is compared. */
  readonly agreement?: string | undefined
  readonly flags: ReadonlyArray<string>
}

/** A signal with the contracts on its subject. */
export interface PricedSignal {
  readonly lane: string
  readonly subject: Subject.Subject
  /** The signal as it would be recorded. */
  readonly record: Recordable<unknown>
  readonly contracts: ReadonlyArray<Priced>
}

/** Priced contracts by signal; a failed signal adds a warning and does not affect the others. */
export interface PricedSignals {
  readonly signals: ReadonlyArray<PricedSignal>
  readonly warnings: ReadonlyArray<string>
  /** Settlement sources that the lane's model does not forecast; contracts on them are not priced. */
  readonly unknownSources: ReadonlyArray<string>
}

/** Known results of contracts by the models' own sources. */
export interface Observed {
  /** By ticker. */
  readonly results: ReadonlyMap<string, Result>
  /** Tickers whose source could not be read. */
  readonly failed: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** A lane's pricing of contracts, and their settlement by the lane's source, for any subject. */
export interface ContractPricing<out Lane = unknown, out Source = unknown> {
  readonly domain: Domain
  readonly lane: string
  /** Series that the signal prices, by venue. */
  readonly series: Readonly<Record<string, ReadonlyArray<string>>>
  /**
   * True: a call is scored on the contracts of its subject; without any it is recorded only if it has a line that is
   * scored on the final. False: every call is recorded, and only the hourly captures are scored.
   */
  readonly scoresCalls: boolean
  /** Whether the source may correct a result. False: its first result is final, and it is not read again. */
  readonly isRevisable: boolean
  /** The probability of yes that a recorded output implies. */
  readonly probability: (contract: Contract, output: unknown) => number | undefined
  /** Undefined where the endpoint does not accept the call now. */
  readonly toSignalCall: (contract: Priced, now: number) => SignalCall | undefined
  /** Prices contracts of the domain, one signal per subject. Records nothing. */
  readonly price: (contracts: ReadonlyArray<Contract>, now: number) => Effect.Effect<PricedSignals, never, Lane>
  /** Results of closed contracts, by the lane's own source. */
  readonly observe: (contracts: ReadonlyArray<Priced>) => Effect.Effect<Observed, never, Source>
}

interface Definition<Params, Output, Value, Lane, Source>
  extends Pick<ContractPricing, "series" | "scoresCalls" | "isRevisable"> {
  readonly mapping: Mapping<Params, Output, Value>
  readonly askSignal: (params: Params, contracts: ReadonlyArray<Contract>) => Effect.Effect<SignalTerms, Failure, Lane>
  /**
   * The value that decides contracts on a subject; undefined while unknown.
   *
   * @param settlesOn the venue's settlement source, in its own words
   */
  readonly readValue: (subject: Subject.Subject, settlesOn: string) => Effect.Effect<Value | undefined, Failure, Source>
}

/** The recordable part of an answer: contracts are priced only by recordable output. */
export const requireRecord = <Results>({
  results,
  record,
  unrecorded,
}: Answer<Results>): Effect.Effect<readonly [Results, Recordable<Results>], Failure> => {
  if (unrecorded !== undefined) return Effect.fail(fail("data_freshness_stale", { detail: unrecorded }))
  return record === undefined
    ? Effect.fail(fail("not_found", { detail: "The outcome is decided or under way; nothing to record." }))
    : Effect.succeed([results, record])
}

const groupBy = <A>(
  items: Iterable<A>,
  keyOf: (item: A) => string,
): ReadonlyArray<readonly [string, ReadonlyArray<A>]> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) getOrMake(groups, keyOf(item), () => []).push(item)
  return [...groups]
}

type Requested<Params> = readonly [Contract, SignalRequest<Params>]

/** The contracts of a mapping's domain that have a model, each with its signal request. */
const pairWithRequests = <Params>(
  { domain, toSignalRequest }: Pick<Mapping<Params, never>, "domain" | "toSignalRequest">,
  contracts: ReadonlyArray<Contract>,
  now: number,
): ReadonlyArray<Requested<Params>> =>
  contracts.flatMap((contract): ReadonlyArray<Requested<Params>> => {
    const request = contract.domain === domain ? toSignalRequest(contract, now) : undefined
    return request === undefined ? [] : [[contract, request]]
  })

const toResultEntry = ({ ticker }: Contract, isYes: boolean | undefined): ReadonlyArray<readonly [string, Result]> =>
  isYes === undefined ? [] : [[ticker, isYes ? "yes" : "no"]]

/** Prices the contracts of a subject by its signal. */
const priceContracts = (
  { lane, probability }: Pick<ContractPricing, "lane" | "probability">,
  requests: ReadonlyArray<Requested<unknown>>,
  { record, modelSource, isSame, agreement, flags }: SignalTerms,
): PricedSignal => {
  // A venue lists the sides of a game; the record uses the game's id.
  const subject = record.subject._tag === "Game" ? record.subject : requests[0]![1].subject
  const { modelVersion } = record
  const output = record.output()
  const shared = { lane, subject: Subject.show(subject), modelVersion, flags }
  const contracts = requests.flatMap(([contract, { instrument }]) => {
    const probable = probability(contract, output)
    const model = probable === undefined ? undefined : millionths(probable)
    const same = isSame(contract)
    const basis = { modelSource, venueSource: contract.settlesOn, same }
    const measured = same ? {} : ifDefined("agreement", agreement)
    return model === undefined ? [] : [{ ...contract, ...shared, instrument, model, basis, ...measured }]
  })
  return { lane, subject, record, contracts }
}

/** Combines a lane's mapping with its signal and its source. */
export const make = <Params, Output, Value, Lane, Source>({
  mapping,
  askSignal,
  readValue,
  ...shared
}: Definition<Params, Output, Value, Lane, Source>): ContractPricing<Lane, Source> => {
  const { domain, lane } = mapping
  const probability = (contract: Contract, output: unknown) => mapping.probability(contract, output as Output)
  const isKnown = ({ settlesOn }: Contract) => mapping.sources?.test(settlesOn) !== false

  const priceGroup = (requests: ReadonlyArray<Requested<Params>>) =>
    Effect.map(
      askSignal(
        requests[0]![1].params,
        requests.map(([contract]) => contract),
      ),
      (terms) => priceContracts({ lane, probability }, requests, terms),
    )
  return {
    ...shared,
    domain,
    lane,
    probability,
    toSignalCall: (contract, now) => {
      const parts = mapping.toCallParts(contract, now)
      if (parts === undefined) return undefined
      const { id, subject, params, contractParams } = parts
      const { path } = mapping.endpoint
      const contractPath = fillPath(path, { ...params, ...contractParams })
      return { id, subject, path: fillPath(path, params), contractPath }
    },
    price: (contracts, now) => {
      const [others, priceable] = Arr.partition(pairWithRequests(mapping, contracts, now), ([contract]) =>
        isKnown(contract),
      )
      return Effect.map(
        Effect.partition(
          groupBy(priceable, ([, { subject }]) => Subject.show(subject)),
          ([subject, requests]) => Effect.mapError(priceGroup(requests), ({ message }) => `${subject}: ${message}`),
        ),
        ([warnings, signals]) => ({
          signals: signals.filter((signal) => signal.contracts.length > 0),
          warnings,
          unknownSources: [...new Set(others.map(([{ settlesOn }]) => settlesOn))],
        }),
      )
    },
    observe: (contracts) =>
      Effect.map(
        Effect.partition(
          groupBy(
            contracts.filter((contract) => contract.domain === domain && isKnown(contract)),
            ({ subject, settlesOn }) => `${subject}\n${settlesOn}`,
          ),
          ([, group]) => {
            const { subject, settlesOn } = group[0]!
            return Effect.mapBoth(readValue(Subject.parse(subject), settlesOn), {
              onFailure: ({ message }) => ({ group, warning: `${subject}: ${message}` }),
              onSuccess: (value) =>
                value === undefined
                  ? []
                  : group.flatMap((contract) => toResultEntry(contract, mapping.isYes(contract, value))),
            })
          },
        ),
        ([failures, entries]) => ({
          results: new Map(entries.flat()),
          failed: failures.flatMap(({ group }) => group.map(({ ticker }) => ticker)),
          warnings: failures.map(({ warning }) => warning),
        }),
      ),
  }
}
