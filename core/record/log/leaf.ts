import { canonical } from "./canonical.ts"

export const leafKinds = ["capture", "prediction", "opinion", "settlement", "observation", "correction"] as const

/**
 * An entry of the record. An opinion is a challenger's probability for a contract. An observation adds the outcome of the
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
   * JSON. From its `close_time` on (epoch milliseconds, or ISO 8601) the outcome may be known, so a checkpoint signed before
   * that must cover the leaf.
   */
  readonly body: Readonly<Record<string, unknown>>
  /**
   * The text is not public before `until`, epoch milliseconds. The salt, random bytes in base64url, keeps it from being
   * guessed by its hash.
   */
  readonly seal?: { readonly until: number; readonly salt: string }
}

export const parseLane = (text: string): string => (JSON.parse(text) as Pick<Leaf, "lane">).lane

/**
 * The text of a leaf: canonical JSON, stored exactly, since its UTF-8 bytes are hashed.
 *
 * @throws TypeError if the body is not JSON
 */
export const toText = ({ id, kind, at, lane, subject, body, seal }: Leaf): string =>
  canonical({ ...{ v: 1, id, kind, at, lane, subject, body }, ...(seal === undefined ? {} : { salt: seal.salt }) })
