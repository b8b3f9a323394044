import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Failure } from "../../Failure.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import * as checkpoint from "./checkpoint.ts"
import * as merkle from "./merkle.ts"
import * as proofs from "./proofs.ts"
import { RecordLog } from "./RecordLog.ts"
import { Signer, type SignerError } from "./Signer.ts"
import { SyncSha256 } from "./SyncSha256.ts"

/** A checkpoint was not signed: the log contradicts the last checkpoint or its own hashes, or the key is wrong. */
export class NotSigned extends Data.TaggedError("NotSigned")<{ readonly message: string }> {}

const notSigned = (message: string) => Effect.fail(new NotSigned({ message }))

const page = 1_000
const encoder = new TextEncoder()

/** Computes the root of the first `size` leaves, hashing all leaves after the first `known` again from their texts. */
export const recomputed = (
  known: number,
  size: number,
): Effect.Effect<Uint8Array, Failure | NotSigned, SyncSha256 | RecordLog> =>
  Effect.gen(function* () {
    const { sha256 } = yield* SyncSha256
    const log = yield* RecordLog
    const peaks = [...(yield* log.hashes(merkle.subtrees([0, known])))]
    let next = known
    for (let from = known; from < size; from += page) {
      for (const { position, id, hash, text } of yield* log.range(from, Math.min(size, from + page))) {
        if (position !== next++) return yield* notSigned(`Leaf ${next - 1} is missing.`)
        const leaf = merkle.leafHash(sha256, encoder.encode(text))
        if (!merkle.isEqual(leaf, hash))
          return yield* notSigned(`Leaf ${position} (${id}): the text does not match its hash.`)
        merkle.grow(sha256, peaks, position, leaf)
      }
      // If the record was not signed for a long time, hashing must not hold up calls.
      yield* yieldToEventLoop
    }
    return merkle.join(sha256, peaks)
  })

/**
 * Why the key must not sign after the last checkpoint. Readers trust the record's key: a new one, created because the
 * file was lost, would look like a forgery.
 */
export const inconsistency = (
  last: checkpoint.Signed | undefined,
): Effect.Effect<"key_missing" | "key_changed" | undefined, SignerError, SyncSha256 | Signer> =>
  Effect.gen(function* () {
    const { existing, mayReplace } = yield* Signer
    const key = yield* existing
    if (last === undefined || mayReplace) return undefined
    if (key === undefined) return "key_missing"
    return checkpoint.vkey((yield* SyncSha256).sha256, key) === last.key ? undefined : "key_changed"
  })

export const keyRemedy =
  "Restore its file (RECORD_KEY_FILE), or set RECORD_KEY_NEW=yes to continue with another key; the change is public."

export const keyTroubles = {
  key_missing: "The key that signed the record is missing, and no new key is created.",
  key_changed: "The record was signed with another key.",
}

/**
 * Signs the current log and stores the checkpoint. First it checks that the log extends the last checkpoint and that
 * every later leaf matches its hash. It never signs a log that contradicts an earlier checkpoint, and signs with another
 * key only if the operator allows it.
 *
 * @returns undefined if the log has not grown since the last checkpoint
 */
export const signCheckpoint: Effect.Effect<
  checkpoint.Signed | undefined,
  Failure | NotSigned | SignerError,
  SyncSha256 | RecordLog | Signer
> = Effect.gen(function* () {
  const { sha256 } = yield* SyncSha256
  const log = yield* RecordLog
  const signer = yield* Signer
  const last = yield* log.checkpoint()
  const size = yield* log.size
  if (last !== undefined && last.size === size) return undefined
  const signedSize = last?.size ?? 0
  if (signedSize > size) return yield* notSigned(`The log has ${size} leaves; the last checkpoint has ${signedSize}.`)
  if (last !== undefined) {
    const before = yield* proofs.root(signedSize)
    const parsed = checkpoint.parse(last.note)
    if (Either.isLeft(parsed) || !merkle.isEqual(parsed.right.root, before)) {
      return yield* notSigned(`The first ${signedSize} leaves do not match the last checkpoint's root.`)
    }
  }
  const root = yield* recomputed(signedSize, size)
  if (!merkle.isEqual(root, yield* proofs.root(size))) {
    return yield* notSigned(`The stored subtree hashes of leaves ${signedSize} to ${size} do not match the leaves.`)
  }
  const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  if (last !== undefined && seconds * 1_000 < last.at) {
    return yield* notSigned(`The system clock is before the last checkpoint (${new Date(last.at).toISOString()}).`)
  }
  const held = yield* inconsistency(last)
  if (held !== undefined) return yield* notSigned(`${keyTroubles[held]} ${keyRemedy}`)
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
    yield* Effect.logWarning(`Record signing key changed from ${last.key} to ${signed.key}`)
  }
  yield* log.keep(signed)
  return signed
})
