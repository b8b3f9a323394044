import { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import { Secrets } from "../account/Secrets.ts"
import type { Format } from "./Call.ts"

/**
 * The entity tag of results. Weak: `_meta` differs from answer to answer. 128 bits name the results.
 *
 * @param digest hex, 256 bits: keyed for what is sold (`EntityTags`), a bare SHA-256 for what anybody may read
 */
export const of = (digest: string): string => `W/"${digest.slice(0, 32)}"`

/** The tag of the same results in another format. */
export const inFormat = (etag: string, format: Format): string =>
  format === "json" ? etag : `${etag.slice(0, -1)}-${format}"`

/** A cache has one answer to a question, or a few. A longer list is a search for the answer, and is not read at all. */
export const mostNamed = 16

/** Whether an `If-None-Match` header names an entity tag, by weak comparison (RFC 9110, 13.1.2). */
export const isNamed = (header: string, etag: string): boolean => {
  if (header.trim() === "*") return true
  const named = header.split(",", mostNamed + 1)
  return named.length <= mostNamed && named.some((each) => each.trim().replace(/^W\//, "") === etag.slice("W/".length))
}

/** Bytes of a secret. */
export const secretLength = 32

/**
 * Entity tags of what is sold. HEAD shows a tag for nothing and `If-None-Match` asks about one for nothing, so a tag must
 * say nothing of the results to who has not bought them: it is keyed by a secret, for results can be guessed, and it
 * belongs to one question, for what one answer's tag was bought with would else decode another's.
 */
export class EntityTags extends Tag("core/gateway/EntityTags")<
  EntityTags,
  {
    /**
     * @param question the hash of endpoint, parameters and options: a hash has one length, so it needs no end
     * @param results what is named
     */
    readonly of: (question: string, results: string) => Effect.Effect<string>
  }
>() {
  /** The same tags wherever the secret is the same. */
  static layer(secret: Uint8Array): Layer.Layer<EntityTags, never, Secrets> {
    return Layer.effect(
      EntityTags,
      Effect.map(Secrets, ({ hmacSha256 }) => ({
        of: (question, results) =>
          Effect.map(hmacSha256(secret, question + results), (digest) => of(Encoding.encodeHex(digest))),
      })),
    )
  }

  /** A secret of its own, gone with the process: what is unchanged after a restart is answered, and charged, once more. */
  static readonly layerMemory: Layer.Layer<EntityTags, never, Secrets> = Layer.unwrapEffect(
    Effect.flatMap(Secrets, ({ randomBytes }) => Effect.map(randomBytes(secretLength), EntityTags.layer)),
  )
}
