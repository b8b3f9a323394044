/** The subject of a signal: the key that connects its captures and the contracts priced from it. */
export type Subject =
  /** A station's climate day. */
  | { readonly _tag: "StationDay"; readonly station: string; readonly day: string }
  /** The price of an asset at an instant, epoch milliseconds. */
  | { readonly _tag: "AssetAt"; readonly asset: string; readonly at: number }
  /** The price of an asset some minutes after a slot. */
  | { readonly _tag: "AssetAhead"; readonly asset: string; readonly horizonMinutes: number }
  /** A game by its league's id. */
  | { readonly _tag: "Game"; readonly id: string }
  /** A game as a venue names it: two teams and a day; `game` is its number in a doubleheader. */
  | {
      readonly _tag: "Matchup"
      readonly day: string
      readonly away: string
      readonly home: string
      readonly game?: number
    }

/** The stored text of a subject. Its form never changes, since leaves of the record contain it. */
export const show = (subject: Subject): string => {
  switch (subject._tag) {
    case "StationDay":
      return `${subject.station}/${subject.day}`
    case "AssetAt":
      return `${subject.asset}/${new Date(subject.at).toISOString()}`
    case "AssetAhead":
      return `${subject.asset}/${subject.horizonMinutes}`
    case "Game":
      return subject.id
    case "Matchup": {
      const { day, away, home, game } = subject
      return [day, away, home, ...(game === undefined ? [] : [game])].join("/")
    }
  }
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/**
 * Parses the text of a subject. A text of any other form is taken as the id of a game.
 *
 * @example
 * ```ts
 * import { parse } from "./Subject.ts"
 *
 * parse("KNYC/2026-07-12") // { _tag: "StationDay", station: "KNYC", day: "2026-07-12" }
 * ```
 */
export const parse = (text: string): Subject => {
  const parts = text.split("/")
  const [first, second, third, fourth] = parts as [string, ...Array<string | undefined>]
  if (second !== undefined && third !== undefined && dayPattern.test(first) && parts.length <= 4) {
    return {
      _tag: "Matchup",
      day: first,
      away: second,
      home: third,
      ...(fourth === undefined ? {} : { game: Number(fourth) }),
    }
  }
  if (second !== undefined && parts.length === 2) {
    if (dayPattern.test(second)) return { _tag: "StationDay", station: first, day: second }
    if (/^\d+$/.test(second)) return { _tag: "AssetAhead", asset: first, horizonMinutes: Number(second) }
    const time = Date.parse(second)
    if (!Number.isNaN(time)) return { _tag: "AssetAt", asset: first, at: time }
  }
  return { _tag: "Game", id: text }
}
