import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Cursor from "../../core/endpoint/Cursor.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { ifDefined } from "../../core/endpoint/Field.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { type Failure, invalid } from "../../core/Failure.ts"
import type { Page } from "../../core/Page.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { optional } from "./inputs.ts"

/** Rows of a page: by default, and at most. */
export const rowsOfPage = { default: 100, most: 1_000 } as const

/** The two parameters of every list. */
const paging = {
  limit: optional(Param.integer(1, rowsOfPage.most, `Number of rows (default ${rowsOfPage.default}).`)),
  cursor: optional(Param.text(256, "Only rows after those of another page: its `next`.")),
}

const next = {
  next: optional(Schema.String.annotations({ description: "`cursor` of the next page; absent on the last one." })),
}

const wrongCursor = invalid("cursor", "Use `next` of a page with the same parameters, or omit cursor.")

type Params<Fields extends Schema.Struct.Fields> = Extract<Schema.Struct<Fields & typeof paging>, Endpoint.AnyStruct>

type Rows<Name extends string, Shape extends Schema.Schema.AnyNoContext> = Extract<
  Schema.Struct<Record<Name, Schema.Array$<Shape>> & typeof next>,
  Schema.Schema.AnyNoContext
>

type Given<Fields extends Schema.Struct.Fields> = Schema.Struct.Type<Fields & typeof paging>

/**
 * A verb that lists rows, newest first, page by page. Its cursors are bound to its other parameters; rows that are added
 * while somebody reads on come before the page that is read.
 */
export const list = <
  const Fields extends Schema.Struct.Fields,
  const Name extends string,
  Shape extends Schema.Schema.AnyNoContext,
  Row,
>({
  params,
  rows: [name, shape],
  key,
  read,
  show,
  ...verb
}: Omit<AdminOperation.Any, "auth" | "params" | "results" | "run"> & {
  readonly params: Fields
  /** The name of the rows in the answer, and the schema of one. */
  readonly rows: readonly [name: Name, shape: Shape]
  /** What the rows are in the order of: it descends, and no two rows share one. */
  readonly key: (row: Row) => string
  /** The newest rows, at most `limit`, with a key below `before`. */
  readonly read: (
    params: Given<Fields>,
    page: Page,
  ) => Effect.Effect<ReadonlyArray<Row>, Failure, AdminOperation.Services>
  readonly show: (row: Row) => Schema.Schema.Encoded<Shape>
}): AdminOperation.AdminOperation<Params<Fields>, Rows<Name, Shape>> => {
  const run = Effect.fnUntraced(function* (given: Given<Fields>) {
    const { limit = rowsOfPage.default, cursor } = given as Schema.Struct.Type<typeof paging>
    const filters = given as Readonly<Record<string, unknown>>
    const before = cursor === undefined ? undefined : Cursor.decode(verb.id, filters, cursor)
    if (cursor !== undefined && before === undefined) return yield* wrongCursor
    // One more than is shown tells whether there is another page.
    const found = yield* read(given, { ...ifDefined("before", before), limit: limit + 1 })
    const shown = found.slice(0, limit)
    return {
      [name]: shown.map(show),
      ...(found.length > limit ? { next: Cursor.encode(verb.id, filters, key(shown.at(-1)!)) } : {}),
    }
  })
  return AdminOperation.make({
    ...verb,
    params: Schema.Struct({ ...params, ...paging }) as unknown as Params<Fields>,
    results: Schema.Struct({ [name]: Schema.Array(shape), ...next }) as unknown as Rows<Name, Shape>,
    run: run as never,
  })
}

/** The key of rows that are numbered; the failure for a cursor with something else. */
export const numbered = ({ before, limit }: Page): Effect.Effect<Page<number>, Failure> => {
  const seq = before === undefined ? undefined : Number(before)
  return seq === undefined || (Number.isSafeInteger(seq) && seq > 0)
    ? Effect.succeed({ ...ifDefined("before", seq), limit })
    : wrongCursor
}
