import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import * as merkle from "./merkle.ts"
import { RecordLog } from "./RecordLog.ts"
import { SyncSha256 } from "./SyncSha256.ts"

/** Computes the hash of each range with one read of the log. */
const readHashes = (
  ranges: ReadonlyArray<merkle.Range>,
): Effect.Effect<ReadonlyArray<Uint8Array>, Failure, SyncSha256 | RecordLog> =>
  Effect.gen(function* () {
    const { sha256 } = yield* SyncSha256
    const log = yield* RecordLog
    const nodes = ranges.map(merkle.subtrees)
    const hashes = yield* log.hashes(nodes.flat())
    let at = 0
    return nodes.map(({ length }) => {
      at += length
      return merkle.join(sha256, hashes.slice(at - length, at))
    })
  })

const dieOutside = (what: string) => Effect.die(new RangeError(what))

/** The root of the tree over the first `size` leaves, which must exist. */
export const root = (size: number): Effect.Effect<Uint8Array, Failure, SyncSha256 | RecordLog> =>
  Effect.map(readHashes([[0, size]]), ([hash]) => hash!)

/** A proof, and the root of the tree that it is for. */
export interface Proof {
  readonly root: Uint8Array
  /** Lowest first. */
  readonly hashes: ReadonlyArray<Uint8Array>
}

const buildProof = (path: ReadonlyArray<merkle.Range>, size: number) =>
  Effect.map(readHashes([[0, size], ...path]), ([root, ...hashes]): Proof => ({ root: root!, hashes }))

/** The proof that the leaf at a position is in the tree over the first `size` leaves, which must exist. */
export const inclusion = (position: number, size: number): Effect.Effect<Proof, Failure, SyncSha256 | RecordLog> =>
  position < size
    ? buildProof(merkle.inclusionPath(position, size), size)
    : dieOutside(`No leaf ${position} among ${size}.`)

/** The proof that the tree over the first `to` leaves, which must exist, extends the one over the first `from`. */
export const consistency = (from: number, to: number): Effect.Effect<Proof, Failure, SyncSha256 | RecordLog> =>
  from <= to ? buildProof(merkle.consistencyPath(from, to), to) : dieOutside(`${from} leaves are more than ${to}.`)
