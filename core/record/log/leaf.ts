import { canonical } from "./canonical.ts"

export const leafKinds = ["capture", "prediction", "opinion", "settlement", "observation", "correction"] as const

/**
 * An entry of the record. An opinion is a challenger's probability of a contract. An observation adds the outcome by the
 * model's own source to a settlement.
 */
export interface Leaf {
  /** Unique in the log. */
  readonly id: string
  readonly kind: (typeof leafKinds)[number]
  /** Epoch milliseconds. */
  readonly at: number
  readonly lane: string
  /** `BTC/60`, a game's id, a market. */
  readonly subject: string
  /**
   * JSON. From `close_time` (epoch milliseconds, or ISO 8601) the outcome may be known: a checkpoint signed before it must
   * cover the leaf.
   */
  readonly body: Readonly<Record<string, unknown>>
  /**
   * The text is not public until `until`, epoch milliseconds. The salt, random bytes in base64url, prevents guessing it
   * from its hash.
   */
  readonly seal?: { readonly until: number; readonly salt: string }
}

/** The lane of a leaf by its text. */
export const laneOf = (text: string): string => (JSON.parse(text) as Pick<Leaf, "lane">).lane

/**
 * The text of a leaf: canonical JSON, stored exactly, since its UTF-8 bytes are hashed.
 *
 * @throws TypeError if the body is not JSON
 */
export const textOf = ({ id, kind, at, lane, subject, body, seal }: Leaf): string =>
  canonical({ ...{ v: 1, id, kind, at, lane, subject, body }, ...(seal === undefined ? {} : { salt: seal.salt }) })
