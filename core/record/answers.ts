import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import { type Failure, fail, invalid } from "../endpoint/Failure.ts"
import { parse, type Signed } from "./checkpoint.ts"
import { type endpoints, pageOfLeaves } from "./endpoints.ts"
import * as exported from "./exported.ts"
import type { Hasher } from "./Hasher.ts"
import * as proofs from "./proofs.ts"
import { find, RecordLog } from "./RecordLog.ts"

type Endpoints = typeof endpoints
type Answer<Name extends keyof Endpoints> = Effect.Effect<
  Endpoint.Results<Endpoints[Name]>,
  Failure,
  Hasher | RecordLog
>

const hex = Encoding.encodeHex

const absent = (detail: string, field: string, suggestion: string): Failure =>
  fail("not_found", { detail, hints: [{ field, action: "change", suggestion }] })

const soon = (detail: string, field: string): Failure =>
  fail("not_found", {
    detail,
    hints: [{ field, action: "wait", suggestion: "A checkpoint is signed within a minute of what it covers." }],
    retryAfterMs: 60_000,
  })

const newest = Effect.gen(function* () {
  const found = yield* (yield* RecordLog).checkpoint()
  return found ?? (yield* soon("No checkpoint has been signed yet.", "size"))
})

/** A checkpoint as it was signed: the newest one, or that of a size. */
export const signed = ({ size }: Endpoint.Params<Endpoints["checkpoint"]>): Effect.Effect<Signed, Failure, RecordLog> =>
  Effect.gen(function* () {
    const last = yield* newest
    if (size === undefined) return last
    const found = yield* (yield* RecordLog).checkpoint(size)
    if (found !== undefined) return found
    return yield* absent(
      `No checkpoint was signed over ${size} leaves.`,
      "size",
      `Leave size out for the newest one, over ${last.size} leaves.`,
    )
  })

/** The same in parts. */
export const checkpoint = (params: Endpoint.Params<Endpoints["checkpoint"]>): Answer<"checkpoint"> =>
  Effect.flatMap(signed(params), ({ size, at, key, note }) =>
    Either.match(parse(note), {
      // It was made here before it was kept.
      onLeft: (why) => Effect.dieMessage(`The checkpoint over ${size} leaves: ${why}`),
      onRight: ({ origin, root }) =>
        Effect.succeed({ origin, size, root: hex(root), signed_at: new Date(at).toISOString(), key, note }),
    }),
  )

/** The size that was asked for, which the log must have reached, or that of the newest checkpoint. */
const sizeOf = (field: string, asked: number | undefined): Effect.Effect<number, Failure, RecordLog> =>
  Effect.gen(function* () {
    if (asked === undefined) return (yield* newest).size
    const size = yield* (yield* RecordLog).size
    return asked <= size ? asked : yield* invalid(field, `${field} must be at most ${size}: so many leaves there are.`)
  })

/** That a leaf is in the record. */
export const inclusion = ({ leaf, size: asked }: Endpoint.Params<Endpoints["inclusion"]>): Answer<"inclusion"> =>
  Effect.gen(function* () {
    const entry = yield* find(leaf)
    if (entry === undefined) {
      return yield* absent(`No leaf ${leaf} is recorded.`, "leaf", "Give a position, a hash in hex or an id.")
    }
    const { position, id, hash, text } = entry
    const size = yield* sizeOf("size", asked)
    if (position >= size) {
      return yield* asked === undefined
        ? soon(`Leaf ${position} is not under a checkpoint yet.`, "size")
        : invalid("size", `size must be above ${position}, the position of the leaf.`)
    }
    const { root, hashes } = yield* proofs.inclusion(position, size)
    return { leaf: { position, id, hash: hex(hash), text }, size, root: hex(root), proof: hashes.map(hex) }
  })

/** That the record has only grown. */
export const consistency = ({ from, to: asked }: Endpoint.Params<Endpoints["consistency"]>): Answer<"consistency"> =>
  Effect.gen(function* () {
    const to = yield* sizeOf("to", asked)
    if (from > to) return yield* invalid("from", `from must be at most ${to}, the leaves of the newest checkpoint.`)
    const { root, hashes } = yield* proofs.consistency(from, to)
    return { from, from_root: hex(yield* proofs.root(from)), to, to_root: hex(root), proof: hashes.map(hex) }
  })

/** Lines of the export, and where the next page begins while there is one. */
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
    const lines = yield* exported.lines(from, to)
    return to < size ? { lines, next: to } : { lines }
  })
