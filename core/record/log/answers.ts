import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { change, type Failure, fail, invalid, notFound } from "../../Failure.ts"
import * as Rights from "../../rights/Rights.ts"
import { iso } from "../../time.ts"
import { Captures } from "../captures/Captures.ts"
import { parse, type Signed } from "./checkpoint.ts"
import { type endpoints, pageOfLeaves } from "./endpoints.ts"
import * as exported from "./exported.ts"
import { parseLane } from "./leaf.ts"
import * as proofs from "./proofs.ts"
import { type Entry, find, isSealed, RecordLog } from "./RecordLog.ts"
import type { SyncSha256 } from "./SyncSha256.ts"

type Endpoints = typeof endpoints
type Answer<Name extends keyof Endpoints> = Effect.Effect<
  Endpoint.Results<Endpoints[Name]>,
  Failure,
  SyncSha256 | RecordLog
>

const hex = Encoding.encodeHex

const failNotYet = (detail: string, field: string): Failure =>
  fail("not_found", {
    detail,
    hints: [{ field, action: "wait", suggestion: "A checkpoint is signed every minute while the log grows." }],
    retryAfterMs: 60_000,
  })

const readNewest = Effect.gen(function* () {
  const checkpoint = yield* (yield* RecordLog).checkpoint()
  return checkpoint ?? (yield* failNotYet("No checkpoint has been signed yet.", "size"))
})

export const signed = ({ size }: Endpoint.Params<Endpoints["checkpoint"]>): Effect.Effect<Signed, Failure, RecordLog> =>
  Effect.gen(function* () {
    const last = yield* readNewest
    if (size === undefined) return last
    const checkpoint = yield* (yield* RecordLog).checkpoint(size)
    if (checkpoint !== undefined) return checkpoint
    return yield* notFound(
      `There is no checkpoint of size ${size}.`,
      change("size", `Omit size for the newest checkpoint, size ${last.size}.`),
    )
  })

/** Reads a stored checkpoint and splits it into fields. */
export const checkpoint = (params: Endpoint.Params<Endpoints["checkpoint"]>): Answer<"checkpoint"> =>
  Effect.flatMap(signed(params), ({ size, at, key, note }) =>
    Either.match(parse(note), {
      // This is a defect, since the service made the note itself.
      onLeft: (why) => Effect.dieMessage(`The checkpoint of size ${size}: ${why}`),
      onRight: ({ origin, root }) => Effect.succeed({ origin, size, root: hex(root), signed_at: iso(at), key, note }),
    }),
  )

/** The requested size, which must not exceed the log's, or the size of the newest checkpoint. */
const checkSize = (field: string, requested: number | undefined): Effect.Effect<number, Failure, RecordLog> =>
  Effect.gen(function* () {
    if (requested === undefined) return (yield* readNewest).size
    const size = yield* (yield* RecordLog).size
    return requested <= size ? requested : yield* invalid(field, `${field} must be at most ${size}, the log's size.`)
  })

/** Whether a name is a request id, by which a buyer finds the leaf of its call. */
const isCall = (name: string): boolean => name.startsWith("req_")

/** Finds a leaf by any of its names; by a request id only for a key that may read it while it is sealed. */
const findLeaf = (leaf: string, rights: Rights.Rights): Effect.Effect<Entry, Failure, Captures | RecordLog> =>
  Effect.gen(function* () {
    if (!isCall(leaf)) {
      const entry = yield* find(leaf)
      return (
        entry ??
        (yield* notFound(`No leaf ${leaf} is recorded.`, change("leaf", "Use a position, a hash in hex or an id.")))
      )
    }
    const bought = yield* (yield* Captures).ofCall(leaf)
    const entry = bought === undefined ? undefined : yield* find(bought.id)
    if (entry !== undefined && rights.read(bought, parseLane(entry.text))) return entry
    return yield* notFound(
      `This key has bought no recorded signal with the call ${leaf}.`,
      change("leaf", "Send the key that made the call, and the request_id of a signal that was charged."),
    )
  })

/** The proof that a leaf is in the record, with its text if it is not sealed or the caller may read it. */
export const inclusion = (
  { leaf, size: requested }: Endpoint.Params<Endpoints["inclusion"]>,
  rights: Rights.Rights = Rights.nobody,
): Effect.Effect<Endpoint.Results<Endpoints["inclusion"]>, Failure, Captures | SyncSha256 | RecordLog> =>
  Effect.gen(function* () {
    const entry = yield* findLeaf(leaf, rights)
    const { position, id, hash, text, sealedUntil } = entry
    const size = yield* checkSize("size", requested)
    if (position >= size) {
      return yield* requested === undefined
        ? failNotYet(`No checkpoint covers leaf ${position} yet.`, "size")
        : invalid("size", `size must be above ${position}, the position of the leaf.`)
    }
    const { root, hashes } = yield* proofs.inclusion(position, size)
    const sealed = isSealed(entry, yield* Clock.currentTimeMillis)
    const isShown = !sealed || rights.read(yield* (yield* Captures).buyerOf(id), parseLane(text))
    return {
      leaf: {
        position,
        id,
        hash: hex(hash),
        ...(isShown ? { text } : {}),
        ...(sealed ? { sealed_until: iso(sealedUntil!) } : {}),
      },
      size,
      root: hex(root),
      proof: hashes.map(hex),
    }
  })

/** The proof that the record has only grown. */
export const consistency = ({
  from,
  to: requested,
}: Endpoint.Params<Endpoints["consistency"]>): Answer<"consistency"> =>
  Effect.gen(function* () {
    const to = yield* checkSize("to", requested)
    if (from > to) return yield* invalid("from", `from must be at most ${to}, the size of the newest checkpoint.`)
    const { root, hashes } = yield* proofs.consistency(from, to)
    return { from, from_root: hex(yield* proofs.root(from)), to, to_root: hex(root), proof: hashes.map(hex) }
  })

/** The lines of a page of the export, and where the next page starts, if there is one. */
export const leaves = ({
  from,
  to = from + pageOfLeaves,
}: Endpoint.Params<Endpoints["leaves"]>): Effect.Effect<
  { readonly lines: ReadonlyArray<string>; readonly next?: number },
  Failure,
  RecordLog
> =>
  Effect.gen(function* () {
    const size = yield* (yield* RecordLog).size
    const lines = yield* exported.lines(from, to, yield* Clock.currentTimeMillis)
    return to < size ? { lines, next: to } : { lines }
  })
