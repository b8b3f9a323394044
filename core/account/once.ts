import * as Effect from "effect/Effect"
import { day } from "../time.ts"
import type { PlatformCrypto } from "./PlatformCrypto.ts"
import * as Ulid from "./Ulid.ts"

/** The random part of a new id; under an idempotency key it is the request's own. */
export const idBytes = ({ randomBytes, sha256 }: PlatformCrypto["Type"], once: string | undefined) =>
  once === undefined
    ? randomBytes(10)
    : Effect.map(sha256(once), (hex) =>
        Uint8Array.from(hex.slice(0, 20).match(/../g)!, (byte) => Number.parseInt(byte, 16)),
      )

/** What the same request has made in the last day, whose answer was lost before it was stored. */
export const madeUnder = <Made extends { readonly id: string; readonly createdAt: number }>(
  all: ReadonlyArray<Made>,
  bytes: Uint8Array,
  now: number,
): Made | undefined => {
  const end = Ulid.encode(0, bytes).slice(10)
  return all.find(({ id, createdAt }) => id.endsWith(end) && createdAt > now - day)
}
