import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Failure } from "../../Failure.ts"
import * as checkpoint from "./checkpoint.ts"
import { Hasher } from "./Hasher.ts"
import * as merkle from "./merkle.ts"
import * as proofs from "./proofs.ts"
import { RecordLog } from "./RecordLog.ts"
import { Signer, type SignerError } from "./Signer.ts"

/** A checkpoint that must not be signed: the log is not what was signed before, or not what its own hashes say. */
export class NotSigned extends Data.TaggedError("NotSigned")<{ readonly message: string }> {}

const refuse = (message: string) => Effect.fail(new NotSigned({ message }))

const page = 1_000
const encoder = new TextEncoder()

/** The root of the first `size` leaves, with every leaf behind the first `known` hashed anew from its text. */
const recomputed = (known: number, size: number): Effect.Effect<Uint8Array, Failure | NotSigned, Hasher | RecordLog> =>
  Effect.gen(function* () {
    const { sha256 } = yield* Hasher
    const log = yield* RecordLog
    const peaks = [...(yield* log.hashes(merkle.subtrees([0, known])))]
    let next = known
    for (let from = known; from < size; from += page) {
      for (const { position, id, hash, text } of yield* log.range(from, Math.min(size, from + page))) {
        if (position !== next++) return yield* refuse(`Leaf ${next - 1} is missing.`)
        const own = merkle.leafHash(sha256, encoder.encode(text))
        if (!merkle.equal(own, hash)) return yield* refuse(`Leaf ${position} (${id}) is not what was recorded.`)
        merkle.grow(sha256, peaks, position, own)
      }
    }
    return merkle.join(sha256, peaks)
  })

/**
 * What keeps the key from signing behind a last checkpoint. Whoever trusts the record trusts its key: a new one in its
 * place, made because the file was lost, would look like a forgery.
 */
export const obstacle = (
  last: checkpoint.Signed | undefined,
): Effect.Effect<"key_missing" | "key_changed" | undefined, SignerError, Hasher | Signer> =>
  Effect.gen(function* () {
    const { existing, mayReplace } = yield* Signer
    const key = yield* existing
    if (last === undefined || mayReplace) return undefined
    if (key === undefined) return "key_missing"
    return checkpoint.vkey((yield* Hasher).sha256, key) === last.key ? undefined : "key_changed"
  })

const remedy =
  "Put its file back (RECORD_KEY_FILE), or set RECORD_KEY_NEW=yes to go on with another key, which everybody will see."

const refusals = {
  key_missing: `The key that signed the record is not there, and no other one is made in its place. ${remedy}`,
  key_changed: `The record was signed with another key than this one. ${remedy}`,
}

/**
 * Signs the log as it is now and keeps the checkpoint. Before that, what was signed last must still be its beginning and
 * every leaf behind that must have its hash: no signature is given for a log that contradicts an earlier one,
 * nor with another key unless the operator says so.
 *
 * @returns undefined when nothing has come since the last checkpoint
 */
export const signCheckpoint: Effect.Effect<
  checkpoint.Signed | undefined,
  Failure | NotSigned | SignerError,
  Hasher | RecordLog | Signer
> = Effect.gen(function* () {
  const { sha256 } = yield* Hasher
  const log = yield* RecordLog
  const signer = yield* Signer
  const last = yield* log.checkpoint()
  const size = yield* log.size
  if (last !== undefined && last.size === size) return undefined
  const known = last?.size ?? 0
  if (known > size) return yield* refuse(`The log holds ${size} leaves; ${known} were signed.`)
  if (last !== undefined) {
    const before = yield* proofs.root(known)
    const parsed = checkpoint.parse(last.note)
    if (Either.isLeft(parsed) || !merkle.equal(parsed.right.root, before)) {
      return yield* refuse(`The first ${known} leaves are not those of the last checkpoint.`)
    }
  }
  const root = yield* recomputed(known, size)
  if (!merkle.equal(root, yield* proofs.root(size))) {
    return yield* refuse(`The tree over leaves ${known} to ${size} is not what their hashes make it.`)
  }
  const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  if (last !== undefined && seconds * 1_000 < last.at) {
    return yield* refuse(`The clock is behind the last checkpoint, of ${new Date(last.at).toISOString()}.`)
  }
  const held = yield* obstacle(last)
  if (held !== undefined) return yield* refuse(refusals[held])
  const key = yield* signer.key
  const text = checkpoint.textOf({ origin: key.name, size, root })
  const plain = yield* signer.sign(encoder.encode(text))
  const timestamped = yield* signer.sign(encoder.encode(checkpoint.timestampedText(text, seconds)))
  const signed: checkpoint.Signed = {
    size,
    at: seconds * 1_000,
    key: checkpoint.vkey(sha256, key),
    note: checkpoint.noteOf(sha256, text, key, plain, seconds, timestamped),
  }
  if (last !== undefined && last.key !== signed.key) {
    yield* Effect.logWarning(`The record is signed with another key than before: ${signed.key}, not ${last.key}`)
  }
  yield* log.keep(signed)
  return signed
})
