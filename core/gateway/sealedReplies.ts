import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { isSealed, SecretBox } from "../account/SecretBox.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"

/**
 * Stored answers that show a secret are sealed, so that the store alone does not reveal it. If one cannot be sealed or
 * opened, there is no stored answer: the call runs again.
 */
export const make = Effect.map(Effect.serviceOption(SecretBox), (found) => {
  const box = Option.getOrUndefined(found)
  const sealContext = (keyId: string, key: string): string => `reply ${keyId}/${key}`
  return {
    seal: ({ holdsSecret }: Endpoint.Any, keyId: string, key: string, text: string): string | undefined =>
      holdsSecret !== true
        ? text
        : box && Either.getOrUndefined(box.seal(sealContext(keyId, key), Redacted.make(text))),
    open: (keyId: string, key: string, stored: string | undefined): string | undefined => {
      if (stored === undefined || !isSealed(stored)) return stored
      const opened = box && Either.getOrUndefined(box.open(sealContext(keyId, key), stored))
      return opened && Redacted.value(opened)
    },
  }
})

export type SealedReplies = Effect.Effect.Success<typeof make>
