import { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Step from "../Step.ts"
import type { Format } from "./Call.ts"

/**
 * The entity tag of results: the first 128 bits of a digest. Weak: `_meta` differs from answer to answer.
 *
 * @param digest hex, 256 bits: an HMAC for paid results (`EntityTags`), a plain SHA-256 for public ones
 */
export const of = (digest: string): string => `W/"${digest.slice(0, 32)}"`

/** The tag of the same results in another format. */
export const inFormat = (etag: string, format: Format): string =>
  format === "json" ? etag : `${etag.slice(0, -1)}-${format}"`

/** Maximum tags in an `If-None-Match` header. A cache sends a few; a longer list is ignored, since it may be guessing. */
export const maxTags = 16

/** Whether an `If-None-Match` header names an entity tag, by weak comparison (RFC 9110, 13.1.2). */
export const isNamed = (header: string, etag: string): boolean => {
  if (header.trim() === "*") return true
  const named = header.split(",", maxTags + 1)
  return named.length <= maxTags && named.some((each) => each.trim().replace(/^W\//, "") === etag.slice("W/".length))
}

/** Bytes of a secret. */
export const secretLength = 32

/**
 * Entity tags of paid results. Keyed by a secret, because HEAD and `If-None-Match` are free: with a plain hash callers
 * could test guesses of paid results. Bound to one call (endpoint, parameters, options), so that the tag of a bought
 * answer reveals nothing about another. RFC 9110, 8.8.3.
 */
export class EntityTags extends Tag("market-signals/core/gateway/EntityTags")<
  EntityTags,
  {
    /**
     * `W/"…"`, the first 128 bits of HMAC-SHA-256(secret, question + results). Never fails.
     *
     * @param question hex hash of endpoint, parameters and options; its fixed length makes the concatenation unambiguous
     * @param results JSON text
     */
    readonly of: (question: string, results: string) => Effect.Effect<string>
  }
>() {
  /** Equal secrets give equal tags, in every process. */
  static layer(secret: Uint8Array): Layer.Layer<EntityTags, never, PlatformCrypto> {
    return Layer.effect(
      EntityTags,
      Effect.map(PlatformCrypto, ({ hmacSha256 }) => ({
        of: (question, results) =>
          Step.map(hmacSha256(secret, question + results), (digest) => of(Encoding.encodeHex(digest))),
      })),
    )
  }

  /** A random secret of this process: after a restart, unchanged results are sent and charged once more. */
  static readonly layerMemory: Layer.Layer<EntityTags, never, PlatformCrypto> = Layer.unwrapEffect(
    Effect.flatMap(PlatformCrypto, ({ randomBytes }) => Effect.map(randomBytes(secretLength), EntityTags.layer)),
  )
}
