import type { ServerResponse } from "node:http"
import { pipeline, Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"

/**
 * Bytes per write. Progress on a larger body is visible between writes, which tells a slow reader from one that does
 * not read.
 */
export const bytesPerWrite = 65_536

export const sliceBytes = function* (bytes: Uint8Array, size = bytesPerWrite): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** A large body in slices, each written after the one before. */
export const streamBytes = (body: string | Uint8Array): Readable =>
  Readable.from(sliceBytes(typeof body === "string" ? Buffer.from(body) : body), { objectMode: false })

/** Ends a response with a body, a large one in slices. The only error here is a disconnect. */
export const endWith = (response: ServerResponse, body: string | Buffer): void => {
  if (body.length <= bytesPerWrite) response.end(body)
  else pipeline(streamBytes(body), response, () => {})
}

/** Characters after which collected lines are written. */
const charactersPerWrite = 16_384

/** The lines of a list in larger pieces, with a turn of the event loop between them. */
const streamLines = (lines: Iterable<string>): Readable =>
  Readable.from(
    (async function* () {
      let text = ""
      for (const line of lines) {
        text += line
        if (text.length < charactersPerWrite) continue
        yield text
        text = ""
        await setImmediate()
      }
      if (text !== "") yield text
    })(),
  )

export const endWithLines = (response: ServerResponse, lines: Iterable<string>): void =>
  void pipeline(streamLines(lines), response, () => {})
