import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fromJson, type StateJson, toJson } from "../../../../core/lanes/football/model/State.ts"
import { RatingStates } from "../../../../core/lanes/football/ports.ts"
import { firstAs, mapStorageErrors } from "../../../store/engine/storage.ts"

interface Row {
  readonly state: string
  readonly numbers: Uint8Array
}

/** Numbers as their bits, so that none is rounded: writing and reading 20,000 of them as text takes tens of milliseconds. */
const encodeNumbers = (numbers: ReadonlyArray<number>): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8 * numbers.length))
  numbers.forEach((number, at) => {
    view.setFloat64(8 * at, number, true)
  })
  return new Uint8Array(view.buffer)
}

const decodeNumbers = ({ buffer, byteOffset, byteLength }: Uint8Array): ReadonlyArray<number> => {
  const view = new DataView(buffer, byteOffset, byteLength)
  return Array.from({ length: byteLength / 8 }, (_, at) => view.getFloat64(8 * at, true))
}

/** The state of a season's row; undefined where the row does not have all of its numbers. */
const stateFromRow = ({ state, numbers }: Row) => {
  const json = JSON.parse(state) as Omit<StateJson, "mean" | "covariance"> & { readonly size: number }
  const { size, ...rest } = json
  if (numbers.byteLength !== 8 * (size + (size * (size + 1)) / 2)) return undefined
  const all = decodeNumbers(numbers)
  return fromJson({ ...rest, mean: all.slice(0, size), covariance: all.slice(size) })
}

/** States of the rating, one row a season: a statement of its own each, so that a crash leaves the old or the new row. */
export const layer: Layer.Layer<RatingStates, never, SqlClient.SqlClient> = Layer.effect(
  RatingStates,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    load: ({ league, season, madeFrom }) =>
      firstAs(
        sql<Row>`
          SELECT state, numbers FROM football_rating_states
          WHERE league = ${league} AND season = ${season} AND made_from = ${madeFrom}`,
        stateFromRow,
      ),
    save: ({ league, season, madeFrom: made_from }, state) =>
      mapStorageErrors(
        Effect.suspend(() => {
          const { mean, covariance, ...rest } = toJson(state)
          const text = JSON.stringify({ ...rest, size: mean.length })
          const row = { league, season, made_from, state: text, numbers: encodeNumbers([...mean, ...covariance]) }
          return Effect.asVoid(sql`
            INSERT INTO football_rating_states ${sql.insert(row)}
            ON CONFLICT (league, season) DO UPDATE SET
              made_from = excluded.made_from, state = excluded.state, numbers = excluded.numbers`)
        }),
      ),
  })),
)
