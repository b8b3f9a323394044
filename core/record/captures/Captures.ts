import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import { Secrets } from "../../account/Secrets.ts"
import * as Ulid from "../../account/Ulid.ts"
import { present } from "../../endpoint/Field.ts"
import type { Failure } from "../../Failure.ts"
import { canonical, plain } from "../log/canonical.ts"
import { Hasher } from "../log/Hasher.ts"
import type { Leaf } from "../log/leaf.ts"
import type { Domain } from "../scoreboard/Settled.ts"
import type { JsonObject, Recordable } from "./Recordable.ts"
import { type Part, partOf, RecordInputs } from "./RecordInputs.ts"
import * as Subject from "./Subject.ts"

/** The call that bought a signal. */
export interface Bought {
  readonly requestId: string
  readonly accountId: string
}

/** A signal on the record: enough to score it later and to compute it again. */
export interface Capture {
  /** A ULID. */
  readonly id: string
  /** 16 random bytes in base64url: without them a sealed probability could be guessed from its hash. */
  readonly salt: string
  readonly lane: string
  /** The endpoint's id. */
  readonly endpoint: string
  readonly subject: string
  readonly modelVersion: string
  /** `scheduled`: made by a job for its slot. `on_demand`: made by a call. */
  readonly kind: "scheduled" | "on_demand"
  /** Epoch milliseconds: of the slot when scheduled, of the answer when on demand. */
  readonly at: number
  readonly params: JsonObject
  /** What is scored. JSON. */
  readonly output: unknown
  /** What the market said, where the lane knows it by itself. JSON. */
  readonly market?: JsonObject
  /** The venue's quotes at that moment. JSON; empty where no venue was looked at. */
  readonly quotes: ReadonlyArray<unknown>
  /** Hex digest of everything the output was computed from. */
  readonly inputsHash: string
  /** Epoch milliseconds at which the outcome, or the first of the quoted contracts, may be decided. */
  readonly closeTime: number
  /** Epoch milliseconds until which nobody but the buyer reads it. */
  readonly sealedUntil: number
  /** Who bought it; absent where a job made it. Not part of the leaf. */
  readonly bought?: Bought
}

/** A contract of a venue that a capture is scored on. */
export interface CapturedContract {
  readonly venue: string
  readonly ticker: string
  readonly domain: Domain
  /** Epoch milliseconds. */
  readonly closeTime: number
}

/** A capture on its way onto the record, with all that goes there in the same step. */
export interface Captured<Contract extends CapturedContract = CapturedContract> {
  readonly capture: Capture
  /** What it is scored on. JSON. */
  readonly contracts: ReadonlyArray<Contract>
  /** What it was computed from, as far as that is not known to be kept. */
  readonly inputs: ReadonlyArray<Part>
  /** Whether it is left out where the subject's last capture has the same inputs and market. */
  readonly once: boolean
}

/** A slot has one scheduled capture of a subject, however often it is taken. */
export const slotOf = ({ lane, endpoint, subject, at }: Capture): string =>
  JSON.stringify([lane, endpoint, subject, at])

/** Whether two captures of one subject say the same of it. */
export const isRepeated = (
  { inputsHash, market }: Pick<Capture, "inputsHash" | "market">,
  before: Pick<Capture, "inputsHash" | "market"> | undefined,
): boolean => before?.inputsHash === inputsHash && canonical(before.market ?? {}) === canonical(market ?? {})

/** What a capture is on the record. Neither id nor position says who asked, or for what. */
export const leafOf = (capture: Capture): Leaf => ({
  id: capture.id,
  kind: "capture",
  at: capture.at,
  lane: capture.lane,
  subject: capture.subject,
  body: {
    endpoint: capture.endpoint,
    model_version: capture.modelVersion,
    taken: capture.kind,
    params: capture.params,
    output: capture.output,
    ...present("market", capture.market),
    quotes: capture.quotes,
    inputs_hash: capture.inputsHash,
    close_time: capture.closeTime,
  },
  seal: { until: capture.sealedUntil, salt: capture.salt },
})

/** What of a capture its leaf's text says again. */
export const readLeaf = (
  text: string,
): Pick<Capture, "id" | "at" | "inputsHash" | "output"> & { readonly market?: JsonObject } => {
  const { id, at, body } = JSON.parse(text) as Pick<Leaf, "id" | "at"> & { readonly body: JsonObject }
  return {
    id,
    at,
    inputsHash: String(body["inputs_hash"]),
    output: body["output"],
    ...present("market", body["market"] as JsonObject | undefined),
  }
}

/** So many parts go into the step that records a signal; more of them are kept before it, in slices. */
const mostParts = 64
const saltBytes = 16

/** What makes a capture of a signal, beside the signal. */
export interface Occasion {
  readonly kind: Capture["kind"]
  /** The slot of a scheduled capture. */
  readonly slot?: number
  /** What the record calls the subject, where that is not the signal's own name for it. */
  readonly subject?: Subject.Subject
  readonly bought?: Bought
}

/**
 * A signal as it goes on the record beside the contracts that it is scored on. Writes nothing but parts of inputs that many
 * signals share; the capture is written by who gets it.
 *
 * @param quotes what is recorded of the venues' books; contracts may be fewer
 */
export const captured = <Contract extends CapturedContract>(
  record: Recordable<unknown>,
  { kind, slot, subject = record.subject, bought }: Occasion,
  contracts: ReadonlyArray<Contract>,
  quotes: ReadonlyArray<JsonObject & { readonly close_time: number }>,
): Effect.Effect<Captured<Contract>, Failure, Hasher | RecordInputs | Secrets> =>
  Effect.gen(function* () {
    const { sha256 } = yield* Hasher
    const { isKept, keep } = yield* RecordInputs
    const { randomBytes } = yield* Secrets
    const at = slot ?? record.at
    const { parts, ...text } = record.inputs(sha256)
    const unknown = [...parts, partOf(text)].filter(({ hash }) => !isKept(hash))
    const ahead = unknown.length > mostParts
    if (ahead) yield* keep(unknown.slice(0, -1))
    const random = yield* randomBytes(10 + saltBytes)
    return {
      capture: {
        id: Ulid.encode(at, random.subarray(0, 10)),
        salt: Encoding.encodeBase64Url(random.subarray(10)),
        lane: record.lane,
        endpoint: record.endpoint,
        subject: Subject.show(subject),
        modelVersion: record.modelVersion,
        kind,
        at,
        params: plain(record.params),
        output: plain(record.output),
        ...(record.market === undefined ? {} : { market: plain(record.market) }),
        quotes,
        inputsHash: text.hash,
        closeTime: Math.min(record.closeTime, ...quotes.map(({ close_time }) => close_time)),
        sealedUntil: record.closeTime,
        ...present("bought", bought),
      },
      contracts,
      inputs: ahead ? unknown.slice(-1) : unknown,
      once: record.once === true && contracts.length === 0,
    }
  })

/** Write port of jobs: append-only. What is kept is a leaf of the record too, from the same step. */
export class Captures extends Context.Tag("core/record/Captures")<
  Captures,
  {
    /**
     * Keeps all of them or none; a slot that has its capture already is left as it is.
     *
     * @returns those that were new
     */
    readonly take: <A extends Captured>(offered: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<A>, Failure>
    /** The capture that a call bought: its leaf's id, and whose it is. */
    readonly ofCall: (
      requestId: string,
    ) => Effect.Effect<{ readonly id: string; readonly accountId: string } | undefined, Failure>
    /** The account that bought a capture; undefined where a job made it. */
    readonly buyerOf: (id: string) => Effect.Effect<string | undefined, Failure>
  }
>() {
  /** Captures that live as long as the layer, for embedders and tests. `taken` grows as they come. */
  static layerMemory(taken: Array<Captured> = []): Layer.Layer<Captures, never, RecordInputs> {
    return Layer.effect(
      Captures,
      Effect.map(RecordInputs, ({ keep }) => {
        const memory = Captures.inMemory(taken)
        return {
          ...memory,
          take: (offered) => Effect.tap(memory.take(offered), (fresh) => keep(fresh.flatMap(({ inputs }) => inputs))),
        }
      }),
    )
  }

  /** The same without their inputs, for whoever writes captures beside something else. */
  static inMemory(taken: Array<Captured>): Captures["Type"] {
    const isThere = ({ capture, once }: Captured): boolean =>
      taken.some(
        ({ capture: other }) =>
          other.id === capture.id ||
          (capture.bought !== undefined && other.bought?.requestId === capture.bought.requestId) ||
          (capture.kind === "scheduled" && other.kind === "scheduled" && slotOf(other) === slotOf(capture)),
      ) ||
      (once &&
        isRepeated(
          capture,
          taken.findLast(
            ({ capture: { lane, endpoint, subject } }) =>
              lane === capture.lane && endpoint === capture.endpoint && subject === capture.subject,
          )?.capture,
        ))
    const boughtOf = (one: Captured | undefined) => one?.capture.bought
    return {
      take: (offered) =>
        Effect.sync(() =>
          offered.filter((one) => {
            if (isThere(one)) return false
            taken.push(one)
            return true
          }),
        ),
      ofCall: (requestId) =>
        Effect.sync(() => {
          const found = taken.find((one) => boughtOf(one)?.requestId === requestId)
          return found && { id: found.capture.id, accountId: boughtOf(found)!.accountId }
        }),
      buyerOf: (id) => Effect.sync(() => boughtOf(taken.find(({ capture }) => capture.id === id))?.accountId),
    }
  }
}
