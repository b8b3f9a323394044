import { minute } from "../../../core/time.ts"

const keysSeen = 100_000

/** Whether the last use of a key is to be stored: to the minute, so at most one write per minute, key and process. */
export const make = (): ((keyId: string, at: number) => boolean) => {
  const seen = new Map<string, number>()
  return (keyId, at) => {
    if (at - (seen.get(keyId) ?? 0) < minute) return false
    if (seen.size > keysSeen) seen.clear()
    seen.set(keyId, at)
    return true
  }
}
