import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { SecretBox } from "../../../core/account/SecretBox.ts"
import { EntityTags } from "../../../core/gateway/EntityTags.ts"
import { openSecret, placeOfInstallation } from "../events/sealSecrets.ts"

/**
 * Entity tags under the store's own secret, the same after a restart and in every process over the store. If the secret
 * does not open, this process uses a random one: an unchanged answer is then sent and charged once more.
 */
export const layer: Layer.Layer<EntityTags, never, SecretBox | PlatformCrypto | SqlClient.SqlClient> =
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* Effect.orDie(
        sql<{ secret: string }>`SELECT secret FROM installation_secrets WHERE name = 'entity_tags'`,
      )
      const opened = openSecret(yield* SecretBox, placeOfInstallation("entity_tags"), row!.secret)
      if (Either.isRight(opened)) {
        return EntityTags.layer(Either.getOrThrow(Encoding.decodeHex(Redacted.value(opened.right))))
      }
      yield* Effect.logWarning(`Entity tags are valid only in this process: ${opened.left.message}`)
      return EntityTags.layerMemory
    }),
  )
