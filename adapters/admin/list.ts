import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Cursor from "../../core/endpoint/Cursor.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { optional } from "../../core/endpoint/Field.ts"
import * as Param from "../../core/endpoint/Param.ts"
import type { Failure } from "../../core/Failure.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import type { Page } from "../../core/Page.ts"
import * as AdminOperation from "./AdminOperation.ts"

/** Rows of a page: by default, and at most. */
export const rowsOfPage = { default: 100, most: 1_000 } as const

/** The two parameters of every list. */
export const paging = {
  limit: optional(Param.integer(1, rowsOfPage.most, `Number of rows (default ${rowsOfPage.default}).`)),
  cursor: optional(
    Param.pattern(/^[\w-]{1,256}$/, "`next` of a page", "Only rows after those of another page: its `next`."),
  ),
}

/** Where a list goes on. */
export const next = {
  next: optional(Schema.String.annotations({ description: "`cursor` of the next page; absent on the last one." })),
}

type Params<Fields extends Schema.Struct.Fields> = Extract<Schema.Struct<Fields & typeof paging>, Endpoint.AnyStruct>

type Rows<Name extends string, Shape extends Schema.Schema.AnyNoContext> = Extract<
  Schema.Struct<Record<Name, Schema.Array$<Shape>> & typeof next>,
  Schema.Schema.AnyNoContext
>

type Given<Fields extends Schema.Struct.Fields> = Schema.Struct.Type<Fields & typeof paging>

/**
 * A page of rows, and the cursor of the next one.
 *
 * @param verb its id
 * @param given its parameters, to which the cursor is bound; `cursor` is decoded already
 * @param usual number of rows without `limit`
 * @param read the newest rows, at most `limit`, with a key below `before`
 * @param key what the rows are in the order of: it descends, and no two rows share one
 */
export const paged = <Row, R>(
  verb: string,
  given: unknown,
  usual: number,
  read: (page: Page) => Effect.Effect<ReadonlyArray<Row>, Failure, R>,
  key: (row: Row) => string,
): Effect.Effect<{ readonly rows: ReadonlyArray<Row>; readonly next?: string }, Failure, R> =>
  Effect.gen(function* () {
    const { limit = usual, cursor } = given as { readonly limit?: number; readonly cursor?: string }
    // One more than is shown tells whether there is another page.
    const found = yield* read({ ...ifDefined("cursor", cursor), limit: limit + 1 })
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    return {
      rows,
      ...(last === undefined || found.length === rows.length
        ? {}
        : { next: Cursor.encode(verb, given as Readonly<Record<string, unknown>>, key(last)) }),
    }
  })

/**
 * A verb that lists rows, newest first, page by page. Its cursors are bound to its other parameters; no row is shown twice,
 * and one whose place is before the page that is read is not shown any more.
 */
export const list = <
  const Fields extends Schema.Struct.Fields,
  const Name extends string,
  Shape extends Schema.Schema.AnyNoContext,
  Row,
>(
  id: string,
  path: string,
  {
    params,
    rows: [name, shape],
    key,
    read,
    show,
    ...verb
  }: Pick<AdminOperation.Any, "summary" | "least"> & {
    readonly params: Fields
    /** The name of the rows in the answer, and the schema of one. */
    readonly rows: readonly [name: Name, shape: Shape]
    /** As of `paged`. */
    readonly key: (row: Row) => string
    readonly read: (
      params: Given<Fields>,
      page: Page,
    ) => Effect.Effect<ReadonlyArray<Row>, Failure, AdminOperation.Services>
    readonly show: (row: Row) => Schema.Schema.Encoded<Shape>
  },
): AdminOperation.AdminOperation<Params<Fields>, Rows<Name, Shape>> => {
  const run = (given: Given<Fields>) =>
    Effect.map(
      paged(id, given, rowsOfPage.default, (page) => read(given, page), key),
      (page) => ({ [name]: page.rows.map(show), ...ifDefined("next", page.next) }),
    )
  return AdminOperation.make(id, `GET ${path}`, {
    ...verb,
    params: Schema.Struct({ ...params, ...paging }) as unknown as Params<Fields>,
    results: Schema.Struct({ [name]: Schema.Array(shape), ...next }) as unknown as Rows<Name, Shape>,
    run: run as never,
  })
}

/** The key of rows that are numbered; the failure for a cursor with something else. */
export const numbered = ({ cursor, limit }: Page): Effect.Effect<Page<number>, Failure> => {
  const seq = cursor === undefined ? undefined : Number(cursor)
  return seq === undefined || (Number.isSafeInteger(seq) && seq > 0)
    ? Effect.succeed({ ...ifDefined("cursor", seq), limit })
    : Cursor.bad
}
