/*
 * The platform functions of the client in Node, Deno and browsers. No other file of it uses globals.
 */

/** The platform's `fetch`, called with the `this` that it needs. */
export const send: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)

/** Waits, or rejects with the signal's reason when it aborts. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end)
      resolve()
    }, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener("abort", end, { once: true })
  })

/** A UUIDv4; works in a browser page outside a secure context too. */
export const uuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}
