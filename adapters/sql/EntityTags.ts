import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type { Secrets } from "../../core/account/Secrets.ts"
import { EntityTags } from "../../core/gateway/EntityTags.ts"
import { Sqlite } from "./client.sqlite.ts"

/** Entity tags under the store's own secret: the same after a restart and in every process over the store. */
export const layer: Layer.Layer<EntityTags, never, Secrets | Sqlite> = Layer.unwrapEffect(
  Effect.map(Sqlite, ({ db }) => {
    const row = db.prepare("SELECT secret FROM installation_secrets WHERE name = 'entity_tags'").get()
    return EntityTags.layer(Either.getOrThrow(Encoding.decodeHex((row as { readonly secret: string }).secret)))
  }),
)
