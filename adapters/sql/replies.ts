import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib"
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Settlement, StoredReply } from "../../core/account/Ledger.ts"
import * as Step from "../../core/Step.ts"
import { day } from "../../core/time.ts"

/** Bytes of a row without its answer, indexes included. */
const rowBytes = 256
/** Most compressed bytes of a free call's stored answer; for a longer one only the key is stored. */
const freeReply = 2_048
/** Longer texts are not compressed at all: they never fit `freeReply`. */
const freeText = 32_768

/** Most bytes of one key's rows in a UTC day. */
export const bytesADay = {
  /** Answers of free calls. */
  freeReplies: 524_288,
  /** All rows of free calls, with or without answer. */
  free: 1_048_576,
  /** Answers of charged calls: 2 KiB for each call that the key's rate limit allows in a day. */
  charged: (perMinute: number): number => perMinute * 1_440 * 2_048,
} as const

/** How long a stored reply is valid, milliseconds. */
export const lifetimeMs: number = day

/** Longer texts are compressed off the event loop; 32 kB take well under a millisecond. */
const soon = 32_768
const level = 6
/** For texts of up to 4,096 characters, where a smaller window and table cost half the time and 2 % of the size. */
const short = { length: 4_096, options: { level: 1, windowBits: 12, memLevel: 5 } }

const compressed = (text: string): Step.Step<Uint8Array> =>
  text.length <= soon
    ? Exit.succeed(deflateRawSync(text, text.length <= short.length ? short.options : { level }))
    : Effect.async((resume) =>
        deflateRaw(text, { level }, (error, bytes) =>
          resume(error === null ? Effect.succeed(bytes) : Effect.die(error)),
        ),
      )

const textOf = (stored: Uint8Array): Step.Step<string> =>
  stored.length <= soon / 8
    ? Exit.succeed(inflateRawSync(stored).toString("utf8"))
    : Effect.async((resume) =>
        inflateRaw(stored, (error, bytes) =>
          resume(error === null ? Effect.succeed(bytes.toString("utf8")) : Effect.die(error)),
        ),
      )

/** The stored reply of a call; without `bytes` only its key and hash. */
export interface Reply {
  readonly requestHash: string
  readonly key: string
  readonly bytes?: Uint8Array
}

/** Compresses an answer for storage. A long answer of a free call is not stored. */
export const packed = ({ micros, reply }: Settlement): Step.Step<Reply | undefined> => {
  if (reply?.stored === undefined) return Exit.succeed(undefined)
  const { stored, ...named } = reply
  if (micros === 0 && stored.length > freeText) return Exit.succeed(named)
  return Step.andThen(compressed(stored), (bytes) =>
    Exit.succeed(micros === 0 && bytes.length > freeReply ? named : { ...named, bytes }),
  )
}

export interface Row {
  readonly request_hash: string
  readonly stored: Uint8Array | null
}

export type StoredForm =
  /** Stored, within the limits of the day. */
  | "kept"
  /** The same free call was made before. */
  | "again"
  /** Another call used the key. */
  | "raced"
  /** The daily size limit is reached, and a charged call must not run without a stored answer. */
  | "full"

/** The stored replies of idempotent calls, valid for 24 hours. */
export const make = (db: Database, isLow: () => boolean) => {
  const find = db.prepare(`
    SELECT request_hash, stored FROM idempotency WHERE key_id = ? AND idempotency_key = ? AND at > ?`)
  const put = db.prepare(`
    INSERT INTO idempotency (key_id, idempotency_key, at, request_hash, stored) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (key_id, idempotency_key) DO UPDATE
    SET at = excluded.at, request_hash = excluded.request_hash, stored = excluded.stored`)
  const used = db.prepare("SELECT charged, free FROM reply_bytes WHERE key_id = ? AND day = ?")
  const use = db.prepare(`
    INSERT INTO reply_bytes (key_id, day, charged, free) VALUES (?, ?, ?, ?)
    ON CONFLICT (key_id, day) DO UPDATE SET charged = charged + excluded.charged, free = free + excluded.free`)
  const nothing = { charged: 0, free: 0 }

  const row = (keyId: string, key: string, now: number) => find.get(keyId, key, now - lifetimeMs) as Row | undefined

  return {
    keep: ({ caller: { keyId, perMinute }, micros, audit: { at } }: Settlement, reply: Reply): StoredForm => {
      const before = row(keyId, reply.key, at)
      if (before !== undefined) {
        if (before.stored !== null || before.request_hash !== reply.requestHash) return "raced"
        if (micros === 0) return "again"
      }
      const today = Math.floor(at / day)
      const { charged, free } = (used.get(keyId, today) ?? nothing) as typeof nothing
      const size = rowBytes + (reply.bytes?.length ?? 0)
      if (micros > 0) {
        if (charged + size > bytesADay.charged(perMinute)) return "full"
        put.run(keyId, reply.key, at, reply.requestHash, reply.bytes)
        use.run(keyId, today, size, 0)
        return "kept"
      }
      const whole = reply.bytes !== undefined && free + size <= bytesADay.freeReplies
      const bytes = whole ? size : rowBytes
      if (isLow() || free + bytes > bytesADay.free) return "kept"
      put.run(keyId, reply.key, at, reply.requestHash, whole ? reply.bytes : null)
      use.run(keyId, today, 0, bytes)
      return "kept"
    },
    /** The stored row of a key, still compressed. */
    find: row,
  }
}

/** Decompresses a stored reply. */
export const recalled = (key: string, row: Row | undefined): Step.Step<StoredReply | undefined> => {
  if (row === undefined) return Exit.succeed(undefined)
  const named = { key, requestHash: row.request_hash }
  if (row.stored === null) return Exit.succeed(named)
  return Step.andThen(textOf(row.stored), (stored) => Exit.succeed({ ...named, stored }))
}
