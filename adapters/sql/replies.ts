import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Settlement, StoredReply } from "../../core/account/Ledger.ts"
import * as Step from "../../core/Step.ts"
import { day } from "../../core/time.ts"
import * as BatchSums from "./sqlite/batchSums.ts"
import type { Database } from "./sqlite/Database.ts"

/** Bytes of a row without its answer, indexes included. */
const rowBytes = 256
/** Bytes of a charged call's row in the limit of the day, and most bytes of one that is stored as it is. */
const chargedRow = 4_096
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
  /** Answers of charged calls: 4 KiB for each call that the key's rate limit allows in a day (PostgreSQL: 2 KiB). */
  charged: (perMinute: number): number => perMinute * 1_440 * chargedRow,
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

/** First byte of a text that is stored as it is: the type of a block that deflate reserves. */
const plainMark = 0b111

/** A text as it is; undefined where it is longer than a charged call's share of the day. */
const plain = (text: string): Uint8Array | undefined => {
  const size = 1 + Buffer.byteLength(text)
  if (rowBytes + size > chargedRow) return undefined
  const bytes = Buffer.allocUnsafe(size)
  bytes[0] = plainMark
  bytes.write(text, 1)
  return bytes
}

const inflated = (stored: Uint8Array): Step.Step<string> =>
  stored.length <= soon / 8
    ? Exit.succeed(inflateRawSync(stored).toString("utf8"))
    : Effect.async((resume) =>
        inflateRaw(stored, (error, bytes) =>
          resume(error === null ? Effect.succeed(bytes.toString("utf8")) : Effect.die(error)),
        ),
      )

const textOf = (stored: Uint8Array): Step.Step<string> =>
  stored[0] === plainMark
    ? Exit.succeed(Buffer.from(stored.buffer, stored.byteOffset + 1, stored.length - 1).toString())
    : inflated(stored)

/** The stored reply of a call; without `bytes` only its key and hash. */
export interface Reply {
  readonly requestHash: string
  readonly key: string
  readonly bytes?: Uint8Array
}

/**
 * Prepares an answer for storage. A long answer of a free call is not stored.
 *
 * @param quick a short answer of a charged call is stored as it is: compressing it takes a sixth of the call's time, and
 *   saves a kilobyte for a day
 */
export const packed = ({ micros, reply }: Settlement, quick = false): Step.Step<Reply | undefined> => {
  if (reply?.stored === undefined) return Exit.succeed(undefined)
  const { stored, ...named } = reply
  const asIs = quick && micros > 0 ? plain(stored) : undefined
  if (asIs !== undefined) return Exit.succeed({ ...named, bytes: asIs })
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

interface Bytes {
  readonly charged: number
  readonly free: number
}

/** The bytes of one key's rows in a UTC day: those of this batch, and those before it. */
interface Used {
  readonly before: Bytes
  charged: number
  free: number
}

/** The stored replies of idempotent calls, valid for 24 hours. */
export const make = (db: Database, isLow: () => boolean) => {
  const find = db.prepare(`
    SELECT request_hash, stored FROM idempotency WHERE key_id = ? AND idempotency_key = ? AND at > ?`)
  const insert = `
    INSERT INTO idempotency (key_id, idempotency_key, at, request_hash, stored) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (key_id, idempotency_key) DO UPDATE
    SET at = excluded.at, request_hash = excluded.request_hash, stored = excluded.stored`
  const put = db.prepare(insert)
  const putOverOld = db.prepare(`${insert} WHERE idempotency.at <= ?`)
  const used = db.prepare("SELECT charged, free FROM reply_bytes WHERE key_id = ? AND day = ?")
  const use = db.prepare(`
    INSERT INTO reply_bytes (key_id, day, charged, free) VALUES (?, ?, ?, ?)
    ON CONFLICT (key_id, day) DO UPDATE SET charged = charged + excluded.charged, free = free + excluded.free`)
  const nothing: Bytes = { charged: 0, free: 0 }
  const batch = BatchSums.make<number, Used>((keyId, today, { charged, free }) => {
    if (charged + free > 0) use.run(keyId, today, charged, free)
  })

  /** No other process writes during the batch: the bytes before it are read once. */
  const usedBy = (keyId: string, at: number): Used => {
    const today = Math.floor(at / day)
    return batch.of(keyId, today, () => ({
      before: (used.get(keyId, today) ?? nothing) as Bytes,
      charged: 0,
      free: 0,
    }))
  }

  const row = (keyId: string, key: string, now: number) => find.get(keyId, key, now - lifetimeMs) as Row | undefined
  const isOther = (before: Row, { requestHash }: Reply): boolean =>
    before.stored !== null || before.request_hash !== requestHash

  const keepCharged = ({ caller: { keyId, perMinute }, audit: { at } }: Settlement, reply: Reply): StoredForm => {
    const { key, requestHash, bytes = null } = reply
    const sums = usedBy(keyId, at)
    const size = rowBytes + (bytes?.length ?? 0)
    if (sums.before.charged + sums.charged + size > bytesADay.charged(perMinute)) {
      const before = row(keyId, key, at)
      return before !== undefined && isOther(before, reply) ? "raced" : "full"
    }
    if (putOverOld.run(keyId, key, at, requestHash, bytes, at - lifetimeMs).changes === 0) {
      if (isOther(row(keyId, key, at)!, reply)) return "raced"
      put.run(keyId, key, at, requestHash, bytes)
    }
    sums.charged += size
    return "kept"
  }

  const keepFree = ({ caller: { keyId }, audit: { at } }: Settlement, reply: Reply): StoredForm => {
    const { key, requestHash, bytes } = reply
    const before = row(keyId, key, at)
    if (before !== undefined) return isOther(before, reply) ? "raced" : "again"
    if (isLow()) return "kept"
    const sums = usedBy(keyId, at)
    const size = rowBytes + (bytes?.length ?? 0)
    const free = sums.before.free + sums.free
    const whole = bytes !== undefined && free + size <= bytesADay.freeReplies
    const counted = whole ? size : rowBytes
    if (free + counted > bytesADay.free) return "kept"
    put.run(keyId, key, at, requestHash, whole ? bytes : null)
    sums.free += counted
    return "kept"
  }

  return {
    keep: (settlement: Settlement, reply: Reply): StoredForm =>
      settlement.micros > 0 ? keepCharged(settlement, reply) : keepFree(settlement, reply),
    /** The stored row of a key, as it was prepared. */
    find: row,
    flush: batch.flush,
    forget: batch.forget,
  }
}

/** The text of a stored reply. */
export const recalled = (key: string, row: Row | undefined): Step.Step<StoredReply | undefined> => {
  if (row === undefined) return Exit.succeed(undefined)
  const named = { key, requestHash: row.request_hash }
  if (row.stored === null) return Exit.succeed(named)
  return Step.andThen(textOf(row.stored), (stored) => Exit.succeed({ ...named, stored }))
}
