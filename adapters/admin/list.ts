import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Cursor from "../../core/endpoint/Cursor.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Param from "../../core/endpoint/Param.ts"
import type { Failure } from "../../core/Failure.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import type { Page } from "../../core/Page.ts"
import * as AdminOperation from "./AdminOperation.ts"

/** Rows per page. */
export const pageLimits = { default: 100, max: 1_000 } as const

/** The two parameters of every list. */
export const paging = {
  limit: Param.optional(Param.integer(1, pageLimits.max, `Number of rows (default ${pageLimits.default}).`)),
  cursor: Param.optional(
    Param.pattern(/^[\w-]{1,256}$/, "`next` of a page", "Only rows after those of another page: its `next`."),
  ),
}

/** The cursor of the next page. */
export const nextField = {
  next: Param.optional(
    Schema.String.annotations({ description: "`cursor` of the next page; absent on the last one." }),
  ),
}

type Params<Fields extends Schema.Struct.Fields> = Extract<Schema.Struct<Fields & typeof paging>, Endpoint.AnyStruct>

type Rows<Name extends string, Shape extends Schema.Schema.AnyNoContext> = Extract<
  Schema.Struct<Record<Name, Schema.Array$<Shape>> & typeof nextField>,
  Schema.Schema.AnyNoContext
>

type Given<Fields extends Schema.Struct.Fields> = Schema.Struct.Type<Fields & typeof paging>

/** The parameters of a list. */
interface PageParams extends Readonly<Record<string, unknown>> {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * A page of rows, and the cursor of the next one.
 *
 * @param verb its id
 * @param params its parameters, to which the cursor is bound; `cursor` is decoded already
 * @param defaultLimit number of rows without `limit`
 * @param read reads at most `limit` rows, newest first, whose key is below `cursor`
 * @param key the sort key: unique, descending
 */
export const readPage = <Row, R>(
  verb: string,
  params: PageParams,
  defaultLimit: number,
  read: (page: Page) => Effect.Effect<ReadonlyArray<Row>, Failure, R>,
  key: (row: Row) => string,
): Effect.Effect<{ readonly rows: ReadonlyArray<Row>; readonly next?: string }, Failure, R> =>
  Effect.gen(function* () {
    const { limit = defaultLimit, cursor } = params
    // One more row than is shown tells whether there is another page.
    const oneMore = yield* read({ ...ifDefined("cursor", cursor), limit: limit + 1 })
    const rows = oneMore.slice(0, limit)
    const last = rows.at(-1)
    return {
      rows,
      ...(last === undefined || oneMore.length === rows.length ? {} : { next: Cursor.encode(verb, params, key(last)) }),
    }
  })

/**
 * A verb that lists rows, newest first, page by page. Its cursors are bound to its other parameters. No row is shown
 * twice; rows inserted before the current page are not shown.
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
  }: Pick<AdminOperation.Any, "summary" | "leastRole"> & {
    readonly params: Fields
    /** The name of the rows in the answer, and the schema of one. */
    readonly rows: readonly [name: Name, shape: Shape]
    /** See `readPage`. */
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
      readPage(id, given as PageParams, pageLimits.default, (page) => read(given, page), key),
      (page) => ({ [name]: page.rows.map(show), ...ifDefined("next", page.next) }),
    )
  return AdminOperation.make(id, `GET ${path}`, {
    ...verb,
    params: Schema.Struct({ ...params, ...paging }) as unknown as Params<Fields>,
    results: Schema.Struct({ [name]: Schema.Array(shape), ...nextField }) as unknown as Rows<Name, Shape>,
    run: run as never,
  })
}

/** Parses the cursor of rows keyed by a number; fails for any other cursor. */
export const parseNumericCursor = ({ cursor, limit }: Page): Effect.Effect<Page<number>, Failure> => {
  const seq = cursor === undefined ? undefined : Number(cursor)
  return seq === undefined || (Number.isSafeInteger(seq) && seq > 0)
    ? Effect.succeed({ ...ifDefined("cursor", seq), limit })
    : Cursor.badCursor
}
