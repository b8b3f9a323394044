import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { maxChargedReplyBytes, rowBytes } from "../../../core/account/decide.ts"
import type { Charge, StoredReply } from "../../../core/account/Ledger.ts"
import * as Step from "../../../core/Step.ts"

/** Maximum compressed bytes of a free call's stored answer; of a longer one only the key is stored. */
const maxFreeBytes = 2_048
/** Longer texts are not compressed at all, since they never fit. */
const maxFreeText = 32_768

/** Longer texts are compressed off the event loop; 32 kB take well under a millisecond. */
const syncCompressMax = 32_768
const level = 6
/** For texts of up to 4,096 characters, where a smaller window and table cost half the time and 2 % of the size. */
const shortText = { length: 4_096, options: { level: 1, windowBits: 12, memLevel: 5 } }

const compress = (text: string): Step.Step<Uint8Array> =>
  text.length <= syncCompressMax
    ? Exit.succeed(deflateRawSync(text, text.length <= shortText.length ? shortText.options : { level }))
    : Effect.async((resume) =>
        deflateRaw(text, { level }, (error, bytes) =>
          resume(error === null ? Effect.succeed(bytes) : Effect.die(error)),
        ),
      )

/** First byte of a text that is stored as it is: the type of a block that deflate reserves. */
const plainMark = 0b111

/** A text, uncompressed; undefined if it is longer than a charged call's share of the day. */
const toPlain = (text: string): Uint8Array | undefined => {
  const size = 1 + Buffer.byteLength(text)
  if (rowBytes + size > maxChargedReplyBytes) return undefined
  const bytes = Buffer.allocUnsafe(size)
  bytes[0] = plainMark
  bytes.write(text, 1)
  return bytes
}

const inflate = (stored: Uint8Array): Step.Step<string> =>
  stored.length <= syncCompressMax / 8
    ? Exit.succeed(inflateRawSync(stored).toString("utf8"))
    : Effect.async((resume) =>
        inflateRaw(stored, (error, bytes) =>
          resume(error === null ? Effect.succeed(bytes.toString("utf8")) : Effect.die(error)),
        ),
      )

const decompress = (stored: Uint8Array): Step.Step<string> =>
  stored[0] === plainMark
    ? Exit.succeed(Buffer.from(stored.buffer, stored.byteOffset + 1, stored.length - 1).toString())
    : inflate(stored)

/** The stored reply of a call; without `bytes` only its key and hash. */
export interface Reply {
  readonly requestHash: string
  readonly key: string
  readonly bytes?: Uint8Array
}

/**
 * Prepares an answer for storage. A long answer of a free call is not stored. A short answer of a charged call is stored
 * uncompressed: compression takes a sixth of the call's time, and saves a kilobyte for a day.
 */
export const pack = ({ chargedMicros: micros, reply }: Charge): Step.Step<Reply | undefined> => {
  if (reply?.stored === undefined) return Exit.succeed(undefined)
  const { stored, ...named } = reply
  const asIs = micros > 0 ? toPlain(stored) : undefined
  if (asIs !== undefined) return Exit.succeed({ ...named, bytes: asIs })
  if (micros === 0 && stored.length > maxFreeText) return Exit.succeed(named)
  return Step.andThen(compress(stored), (bytes) =>
    Exit.succeed(micros === 0 && bytes.length > maxFreeBytes ? named : { ...named, bytes }),
  )
}

export interface Row {
  readonly request_hash: string
  readonly stored: Uint8Array | null
}

/** The text of a stored reply. */
export const recall = (key: string, row: Row | undefined): Step.Step<StoredReply | undefined> => {
  if (row === undefined) return Exit.succeed(undefined)
  const named = { key, requestHash: row.request_hash }
  if (row.stored === null) return Exit.succeed(named)
  return Step.andThen(decompress(row.stored), (stored) => Exit.succeed({ ...named, stored }))
}
