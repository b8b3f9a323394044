import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib"
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Remembered, Settlement } from "../../core/account/Ledger.ts"
import { day } from "../../core/time.ts"

/** What a row takes beside its answer, indexes included. */
const rowBytes = 256
/** An answer of a call that cost nothing is kept up to so many bytes, compressed; of a longer one only that it was made. */
const freeReply = 2_048
/** More than that never compresses to so little. */
const freeText = 32_768

/** Bytes that the rows of one key may take in a UTC day. */
export const bytesADay = {
  /** Answers to calls that cost nothing. */
  freeReplies: 524_288,
  /** The same and what says that such calls were made. */
  free: 1_048_576,
  /** Answers that were paid for: two kilobytes for each call that the key's rate allows in a day. */
  charged: (perMinute: number): number => perMinute * 1_440 * 2_048,
} as const

/** Longer ones are compressed off the event loop: 32 kB take well under a millisecond. */
const soon = 32_768
const level = 6

const compressed = (text: string): Effect.Effect<Uint8Array> =>
  text.length <= soon
    ? Effect.sync(() => deflateRawSync(text, { level }))
    : Effect.async((resume) =>
        deflateRaw(text, { level }, (error, bytes) =>
          resume(error === null ? Effect.succeed(bytes) : Effect.die(error)),
        ),
      )

const textOf = (stored: Uint8Array): Effect.Effect<string> =>
  stored.length <= soon / 8
    ? Effect.sync(() => inflateRawSync(stored).toString("utf8"))
    : Effect.async((resume) =>
        inflateRaw(stored, (error, bytes) =>
          resume(error === null ? Effect.succeed(bytes.toString("utf8")) : Effect.die(error)),
        ),
      )

/** What is to be kept of a call; without bytes: only that it was made. */
export interface Reply {
  readonly requestHash: string
  readonly key: string
  readonly bytes?: Uint8Array
}

/** Makes an answer ready to be kept. Of a call that costs nothing a long one is not. */
export const packed = ({ micros, remember }: Settlement): Effect.Effect<Reply | undefined> => {
  if (remember?.stored === undefined) return Effect.succeed(undefined)
  const { stored, ...named } = remember
  if (micros === 0 && stored.length > freeText) return Effect.succeed(named)
  return Effect.map(compressed(stored), (bytes) =>
    micros === 0 && bytes.length > freeReply ? named : { ...named, bytes },
  )
}

interface Row {
  readonly request_hash: string
  readonly stored: Uint8Array | null
}

export type Kept =
  /** As far as the limits of the day let it. */
  | "kept"
  /** The call was made before, and cost nothing then either. */
  | "again"
  /** Another call has the key. */
  | "raced"
  /** The day's bytes are used up, and this one must be kept or not be made. */
  | "full"

/** The answers of idempotent calls, for 24 hours. */
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

  const row = (keyId: string, key: string, now: number) => find.get(keyId, key, now - day) as Row | undefined

  return {
    keep: ({ caller: { keyId, perMinute }, micros, audit: { at } }: Settlement, reply: Reply): Kept => {
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
    /** What the key stands for, before it is read. */
    find: row,
  }
}

/** What a key stands for, as it was remembered. */
export const recalled = (key: string, row: Row | undefined): Effect.Effect<Remembered | undefined> => {
  if (row === undefined) return Effect.succeed(undefined)
  const named = { key, requestHash: row.request_hash }
  if (row.stored === null) return Effect.succeed(named)
  return Effect.map(textOf(row.stored), (stored) => ({ ...named, stored }))
}
