import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type { Caller } from "../../account/Keyring.ts"
import { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import * as Ulid from "../../account/Ulid.ts"
import type { Bought, Buyer, Capture, Captured, CapturedContract } from "../../call/Capture.ts"
import type { JsonObject, Recordable } from "../../call/Recordable.ts"
import * as Subject from "../../call/Subject.ts"
import type { Failure } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Step from "../../Step.ts"
import { canonical, plain } from "../log/canonical.ts"
import type { Leaf } from "../log/leaf.ts"
import { SyncSha256 } from "../log/SyncSha256.ts"
import { RecordInputs, toPart } from "./RecordInputs.ts"

export type { Bought, Buyer, Capture, Captured, CapturedContract }

export const asBuyer = ({ accountId, agent }: Caller): Buyer => ({ accountId, ...ifDefined("agentId", agent?.id) })

/** The key of a scheduled capture, of which a slot has at most one per subject. */
const toSlotKey = ({ lane, endpoint, subject, at }: Capture): string => JSON.stringify([lane, endpoint, subject, at])

/** Whether two captures of one subject have the same inputs and market. */
export const isRepeated = (
  { inputsHash, market }: Pick<Capture, "inputsHash" | "market">,
  before: Pick<Capture, "inputsHash" | "market"> | undefined,
): boolean => before?.inputsHash === inputsHash && canonical(before.market ?? {}) === canonical(market ?? {})

/** The log leaf of a capture. Its id and position reveal neither the buyer nor the call. */
export const toLeaf = (capture: Capture): Leaf => ({
  id: capture.id,
  kind: "capture",
  at: capture.at,
  lane: capture.lane,
  subject: capture.subject,
  body: {
    endpoint: capture.endpoint,
    model_version: capture.modelVersion,
    trigger: capture.kind,
    params: capture.params,
    output: capture.output,
    ...ifDefined("market", capture.market),
    quotes: capture.quotes,
    inputs_hash: capture.inputsHash,
    close_time: capture.closeTime,
  },
  seal: { until: capture.sealedUntil, salt: capture.salt },
})

/** Reads fields of a capture from the text of its leaf. */
export const readLeaf = (
  text: string,
): Pick<Capture, "id" | "at" | "inputsHash" | "output"> & { readonly market?: JsonObject } => {
  const { id, at, body } = JSON.parse(text) as Pick<Leaf, "id" | "at"> & { readonly body: JsonObject }
  return {
    id,
    at,
    inputsHash: String(body["inputs_hash"]),
    output: body["output"],
    ...ifDefined("market", body["market"] as JsonObject | undefined),
  }
}

/** At most this many input parts are written in the transaction that records a signal; more are stored before it, in slices. */
const maxParts = 64
const saltBytes = 16

/** The facts of a capture besides its signal. */
export interface Occasion {
  readonly kind: Capture["kind"]
  /** The slot of a scheduled capture. */
  readonly slot?: number
  /** The subject on the record, if it is not the signal's. */
  readonly subject?: Subject.Subject
  readonly bought?: Bought
}

/**
 * Makes the capture of a signal with its contracts. The caller writes it; only input parts are written here, if there are
 * more than 64.
 *
 * @param quotes the recorded quotes of the venues, possibly of more contracts than are scored
 */
type Capturing = <Contract extends CapturedContract>(
  ...args: CaptureArgs<Contract>
) => Effect.Effect<Captured<Contract>, Failure>

type CaptureArgs<Contract> = readonly [
  record: Recordable<unknown>,
  occasion: Occasion,
  contracts: ReadonlyArray<Contract>,
  quotes: ReadonlyArray<JsonObject & { readonly close_time: number }>,
]

const makeCapturing =
  (
    { sha256 }: SyncSha256["Type"],
    { isKept, keep }: RecordInputs["Type"],
    { randomBytes }: PlatformCrypto["Type"],
  ): Capturing =>
  (record, { kind, slot, subject = record.subject, bought }, contracts, quotes) =>
    Step.gen(function* () {
      const time = slot ?? record.at
      const { putShared, ...text } = record.inputs(sha256)
      const unknown = [...putShared, toPart(text)].filter(({ hash }) => !isKept(hash))
      const ahead = unknown.length > maxParts
      if (ahead) yield* keep(unknown.slice(0, -1))
      const random = yield* randomBytes(10 + saltBytes)
      return {
        capture: {
          id: Ulid.encode(time, random.subarray(0, 10)),
          salt: Encoding.encodeBase64Url(random.subarray(10)),
          lane: record.lane,
          endpoint: record.endpoint,
          subject: Subject.show(subject),
          modelVersion: record.modelVersion,
          kind,
          at: time,
          params: plain(record.params),
          output: plain(record.output()),
          ...(record.market === undefined ? {} : { market: plain(record.market) }),
          quotes,
          inputsHash: text.hash,
          closeTime: Math.min(record.closeTime, ...quotes.map(({ close_time }) => close_time)),
          sealedUntil: record.closeTime,
          ...ifDefined("bought", bought),
        },
        contracts,
        inputs: ahead ? unknown.slice(-1) : unknown,
        once: record.once === true && contracts.length === 0,
      }
    })

type CaptureServices = SyncSha256 | RecordInputs | PlatformCrypto

export const capturing: Effect.Effect<Capturing, never, CaptureServices> = Effect.zipWith(
  Effect.all([SyncSha256, RecordInputs]),
  PlatformCrypto,
  ([digests, inputs], crypto) => makeCapturing(digests, inputs, crypto),
)

/** For jobs. */
export const captureSignal = <Contract extends CapturedContract>(
  ...args: CaptureArgs<Contract>
): Effect.Effect<Captured<Contract>, Failure, CaptureServices> =>
  Effect.flatMap(capturing, (capture) => capture(...args))

/** Write port of captures, append-only. A capture and its leaf are written in one transaction. */
export class Captures extends Context.Tag("market-signals/core/record/Captures")<
  Captures,
  {
    /**
     * Appends all captures or none; those that exist already are skipped.
     *
     * @returns the new ones
     */
    readonly append: <A extends Captured>(offered: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<A>, Failure>
    /** The id and the buyer of the capture that a call bought. */
    readonly ofCall: (requestId: string) => Effect.Effect<(Buyer & { readonly id: string }) | undefined, Failure>
    /** Who bought a capture, or wrote an opinion, by the leaf's id; undefined if a job made it. */
    readonly buyerOf: (id: string) => Effect.Effect<Buyer | undefined, Failure>
  }
>() {
  /** For embedders and tests. Captures are appended to `taken` or, without it, to a list of each built layer. */
  static layerMemory(taken?: Array<Captured>): Layer.Layer<Captures, never, RecordInputs> {
    return Layer.effect(
      Captures,
      Effect.map(RecordInputs, ({ keep }) => {
        const memory = Captures.inMemory(taken ?? [])
        return {
          ...memory,
          append: (offered) =>
            Effect.tap(memory.append(offered), (fresh) => keep(fresh.flatMap(({ inputs }) => inputs))),
        }
      }),
    )
  }

  /** Captures in memory without their inputs, for `Ledger.layerMemory`, which writes captures with charges. */
  static inMemory(taken: Array<Captured>): Captures["Type"] {
    const isThere = ({ capture, once }: Captured): boolean =>
      taken.some(
        ({ capture: other }) =>
          other.id === capture.id ||
          (capture.bought !== undefined && other.bought?.requestId === capture.bought.requestId) ||
          (capture.kind === "scheduled" && other.kind === "scheduled" && toSlotKey(other) === toSlotKey(capture)),
      ) ||
      (once &&
        isRepeated(
          capture,
          taken.findLast(
            ({ capture: { lane, endpoint, subject } }) =>
              lane === capture.lane && endpoint === capture.endpoint && subject === capture.subject,
          )?.capture,
        ))
    const buyerOf = (one: Captured | undefined): Buyer | undefined => {
      const bought = one?.capture.bought
      return bought && { accountId: bought.accountId, ...ifDefined("agentId", bought.agentId) }
    }
    return {
      append: (offered) =>
        Effect.sync(() =>
          offered.filter((one) => {
            if (isThere(one)) return false
            taken.push(one)
            return true
          }),
        ),
      ofCall: (requestId) =>
        Effect.sync(() => {
          const captured = taken.find(({ capture: { bought } }) => bought?.requestId === requestId)
          return captured && { id: captured.capture.id, ...buyerOf(captured)! }
        }),
      buyerOf: (id) => Effect.sync(() => buyerOf(taken.find(({ capture }) => capture.id === id))),
    }
  }
}
