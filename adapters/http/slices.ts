import { Readable } from "node:stream"

/**
 * Bytes per write. Progress on a larger body is visible between writes, which tells a slow reader from one that does
 * not read.
 */
export const atOnce = 65_536

/** A large body in slices, each written after the one before. */
export const readable = (body: string | Uint8Array): Readable => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += atOnce) yield bytes.subarray(at, at + atOnce)
    })(),
    { objectMode: false },
  )
}
