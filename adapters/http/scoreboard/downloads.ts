import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Failure } from "../../../core/endpoint/Failure.ts"
import * as Rows from "../../../core/gateway/rows.ts"
import { settled } from "../../../core/lanes/markets/endpoints.ts"
import type { Position } from "../../../core/lanes/markets/pages.ts"
import type { SettledRows } from "../../../core/lanes/markets/providers.ts"
import { methodology, rowOf } from "../../../core/lanes/markets/settled.ts"
import { type Domain, domains, type Standing } from "../../../core/record/Settled.ts"

/** Rows that are read at once. */
const chunk = 500

/** Every settled row of a domain in full, latest close first. Rows that settle meanwhile may be missing. */
const rowsOf = (rows: SettledRows["Type"], domain: Domain): Stream.Stream<object, Failure> =>
  Stream.paginateChunkEffect(undefined as Position | undefined, (position) =>
    Effect.map(rows.after(domain, position, chunk), (found) => {
      const last: Standing | undefined = found.length < chunk ? undefined : found.at(-1)
      return [
        Chunk.unsafeFromArray(found.flatMap((row) => rowOf(row) ?? []).map((row) => ({ domain, ...row }))),
        last === undefined
          ? Option.none()
          : Option.some<Position>({ closeTime: last.closeTime, ticker: last.ticker, venue: last.venue }),
      ]
    }),
  )

const paths = [["domain"], ...Rows.pathsOf(settled)]

export const forms = {
  csv: {
    type: "text/csv; charset=utf-8; header=present",
    text: (rows: Stream.Stream<object, Failure>) =>
      Stream.prepend(
        Stream.map(rows, (row) => Rows.lineOf(paths, row)),
        Chunk.of(Rows.namesOf(paths)),
      ),
  },
  ndjson: {
    type: "application/x-ndjson; charset=utf-8",
    text: (rows: Stream.Stream<object, Failure>) => Stream.map(rows, (row) => `${JSON.stringify(row)}\n`),
  },
  json: {
    type: "application/json; charset=utf-8",
    text: (rows: Stream.Stream<object, Failure>) =>
      Stream.map(rows, (row) => JSON.stringify(row)).pipe(
        Stream.intersperse(",\n"),
        Stream.prepend(Chunk.of(`{"methodology":${JSON.stringify(methodology)},"rows":[\n`)),
        Stream.concat(Stream.make("\n]}\n")),
      ),
  },
} as const

export type Form = keyof typeof forms

/** Every settled row of every domain, in pieces. */
export const all = (rows: SettledRows["Type"]): Stream.Stream<object, Failure> =>
  Stream.flatMap(Stream.fromIterable(domains), (domain) => rowsOf(rows, domain))
