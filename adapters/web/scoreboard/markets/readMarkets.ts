import * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import { compareRows, type Position, type SettledRows } from "../../../../core/lanes/markets/ports.ts"
import { leadName } from "../../../../core/record/scoreboard/divisions.ts"
import { type CurrentRow, domains } from "../../../../core/record/scoreboard/Settled.ts"
import { day } from "../../../../core/time.ts"
import { type Asked, isIn } from "./asked.ts"

export const perPage = 50
/** Rows of a domain in one read, and the most reads of a page: the next one goes on there. */
const [chunk, maxReads] = [100, 5]

const isWanted = (row: CurrentRow, { lead, bin }: Asked): boolean =>
  (lead === undefined || leadName(row.closeTime - row.capturedAt) === lead) && (bin === undefined || isIn(row, bin))

const placeOf = ({ closeTime, ticker, venue }: CurrentRow): Required<Position> => ({ closeTime, ticker, venue })

/** Rows of some domains after a place in their common order, as far as all of them were read. */
const readAfter = (
  { after }: typeof SettledRows.Service,
  of: ReadonlyArray<(typeof domains)[number]>,
  position: Position | undefined,
): Effect.Effect<{ readonly rows: ReadonlyArray<CurrentRow>; readonly isLast: boolean }, Failure> =>
  Effect.map(
    Effect.forEach(of, (domain) => after(domain, position, chunk)),
    (lists) => {
      const ends = lists.flatMap((rows) => (rows.length === chunk ? [rows.at(-1)!] : []))
      const [end] = ends.sort(compareRows)
      const rows = lists.flat().sort(compareRows)
      return end === undefined
        ? { rows, isLast: true }
        : { rows: rows.filter((row) => compareRows(row, end) <= 0), isLast: false }
    },
  )

/** A page of settled markets, latest close first. */
export interface MarketPage {
  readonly rows: ReadonlyArray<CurrentRow>
  /** The next page begins after it; absent on the last one. */
  readonly next?: Required<Position>
}

/** The settled markets that pass the filters. Each read is bounded, and so is their number. */
export const marketPage = (rows: typeof SettledRows.Service, asked: Asked): Effect.Effect<MarketPage, Failure> =>
  Effect.gen(function* () {
    const of = asked.domain === undefined ? domains : [asked.domain]
    const found: Array<CurrentRow> = []
    let position: Position | undefined =
      asked.after ?? (asked.to === undefined ? undefined : { closeTime: asked.to + day })
    let last: CurrentRow | undefined
    for (let read = 0; read < maxReads; read++) {
      const part = yield* readAfter(rows, of, position)
      for (const row of part.rows) {
        if (asked.from !== undefined && row.closeTime < asked.from) return { rows: found }
        if (isWanted(row, asked)) {
          if (found.length === perPage) return { rows: found, next: placeOf(last!) }
          found.push(row)
        }
        last = row
      }
      if (part.isLast || last === undefined) return { rows: found }
      position = placeOf(last)
    }
    return { rows: found, next: placeOf(last!) }
  })
