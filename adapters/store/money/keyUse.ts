import { BoundedMap } from "../../../core/BoundedMap.ts"
import { minute } from "../../../core/time.ts"

const keysSeen = 100_000

/** Whether the last use of a key is to be stored: to the minute, so at most one write per minute, key and process. */
export const make = (): ((keyId: string, at: number) => boolean) => {
  const seen = new BoundedMap<string, number>(keysSeen)
  return (keyId, at) => {
    if (at - (seen.get(keyId) ?? 0) < minute) return false
    seen.set(keyId, at)
    return true
  }
}
