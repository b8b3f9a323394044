import { canonical } from "./canonical.ts"

export const leafKinds = ["capture", "prediction", "settlement", "observation", "correction"] as const

/** One thing that is on the record for good. An observation adds what the model's own source says to a settlement. */
export interface Leaf {
  /** Unique in the log. */
  readonly id: string
  readonly kind: (typeof leafKinds)[number]
  /** Epoch milliseconds. */
  readonly at: number
  readonly lane: string
  /** What it is about: `BTC/60`, a game's id, a market. */
  readonly subject: string
  /**
   * JSON. `close_time` (epoch milliseconds, or ISO 8601) is when the outcome may become known: what is said has to be
   * under a checkpoint from before.
   */
  readonly body: Readonly<Record<string, unknown>>
  /**
   * Until when (epoch milliseconds) the text is not shown to everybody. The salt, random bytes in base64url, keeps what is said
   * from being guessed by its hash.
   */
  readonly seal?: { readonly until: number; readonly salt: string }
}

/**
 * The text of a leaf: canonical JSON, kept to the letter, for its UTF-8 bytes are what is hashed.
 *
 * @throws TypeError where the body is no JSON
 */
export const textOf = ({ id, kind, at, lane, subject, body, seal }: Leaf): string =>
  canonical({
    ...{ v: 1, id, kind, at, lane, subject, body },
    ...(seal === undefined ? {} : { salt: seal.salt }),
  })
