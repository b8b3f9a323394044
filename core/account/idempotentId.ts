import * as Effect from "effect/Effect"
import { day } from "../time.ts"
import type { PlatformCrypto } from "./PlatformCrypto.ts"
import * as Ulid from "./Ulid.ts"

/**
 * The random part of a new id. With an idempotency key it is derived from the key, so that a repeated request gets the same
 * id.
 */
export const idBytes = ({ randomBytes, sha256 }: PlatformCrypto["Type"], idempotencyKey: string | undefined) =>
  idempotencyKey === undefined
    ? randomBytes(10)
    : Effect.map(sha256(idempotencyKey), (hex) =>
        Uint8Array.from(hex.slice(0, 20).match(/../g)!, (byte) => Number.parseInt(byte, 16)),
      )

/** The resource that the same request created within the last day, if its reply was never stored. */
export const findEarlierResult = <Made extends { readonly id: string; readonly createdAt: number }>(
  existing: ReadonlyArray<Made>,
  bytes: Uint8Array,
  now: number,
): Made | undefined => {
  const idSuffix = Ulid.encode(0, bytes).slice(10)
  return existing.find(({ id, createdAt }) => id.endsWith(idSuffix) && createdAt > now - day)
}
