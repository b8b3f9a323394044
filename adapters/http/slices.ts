import { Readable } from "node:stream"

/**
 * How much is written at once, bytes. How far a client has read a larger body is seen from slice to slice, so that one
 * that reads slowly is told from one that does not read.
 */
export const atOnce = 65_536

/** A large body in slices, each taken when the one before it has left. */
export const readable = (body: string | Uint8Array): Readable => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += atOnce) yield bytes.subarray(at, at + atOnce)
    })(),
    { objectMode: false },
  )
}
