import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Redacted from "effect/Redacted"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"

const prefix = "whsec_"

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export const newSecret: Effect.Effect<Redacted.Redacted, never, PlatformCrypto> = Effect.flatMap(
  PlatformCrypto,
  (secrets) => Effect.map(secrets.randomBytes(32), (bytes) => Redacted.make(prefix + Encoding.encodeBase64(bytes))),
)

const utf8 = new TextEncoder()

const decodeSecret = (secret: string): Uint8Array =>
  Either.getOrThrow(Encoding.decodeBase64(secret.slice(prefix.length)))

export interface Signed {
  readonly id: string
  /** Start of the attempt, epoch milliseconds. */
  readonly at: number
  readonly body: string
  /** The newest secret first; a second one during a rotation. */
  readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
}

/** The headers that authenticate a delivery, with their meaning. The last three follow Standard Webhooks. */
export const headerMeanings = {
  "X-Service-Signature":
    "HMAC-SHA256 of the raw body, lowercase hex. The key is the newest secret as it was shown, `whsec_` included.",
  "webhook-id": "The `id` of the event.",
  "webhook-timestamp": "Start of the attempt, Unix seconds.",
  "webhook-signature":
    "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the decoded secret. After a rotation two signatures, new and old, separated by a space.",
} as const

/** The headers of `headerMeanings`, in lower case. */
export type Headers = Readonly<Record<Lowercase<keyof typeof headerMeanings>, string>>

export const headers = ({ id, at, body, secrets }: Signed): Effect.Effect<Headers, never, PlatformCrypto> =>
  Effect.gen(function* () {
    const { hmacSha256 } = yield* PlatformCrypto
    const timestamp = String(Math.floor(at / 1_000))
    const [newest] = secrets
    const plain = yield* hmacSha256(utf8.encode(Redacted.value(newest)), body)
    const standard = yield* Effect.forEach(secrets, (secret) =>
      Effect.map(
        hmacSha256(decodeSecret(Redacted.value(secret)), `${id}.${timestamp}.${body}`),
        (mac) => `v1,${Encoding.encodeBase64(mac)}`,
      ),
    )
    return {
      "x-service-signature": Encoding.encodeHex(plain),
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": standard.join(" "),
    }
  })
