import { Readable } from "node:stream"

/** A body up to this size is written at once, bytes. */
export const atOnce = 65_536
/** What is larger is written in slices of this size: how far a client has read is seen from slice to slice. */
const size = 16_384

/** A large body in slices, each taken when the one before it has left. */
export const readable = (body: string | Uint8Array): Readable => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
    { objectMode: false },
  )
}
