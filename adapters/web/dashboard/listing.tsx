/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { ComponentChildren, VNode } from "preact"
import type { AnyStruct } from "../../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as AdminOperation from "../../admin/AdminOperation.ts"
import { addressWith } from "../view/addresses.ts"
import { Find } from "../view/filters.tsx"
import { toAction } from "./actions.ts"
import { VerbForm } from "./Form.tsx"
import { Changed } from "./live/Live.tsx"
import { type AccountVisit, type Done, ofAccount, type Page, type Services, type Visit } from "./Page.ts"

/** The part of a list that a page shows, as its address says it. */
export interface Shown {
  /** The text that the rows contain; empty: all rows. */
  readonly text: string
  /** Whether rows in use are listed; otherwise those that have ended. */
  readonly isOpen: boolean
  /** The id of the last thing of the page before; absent: it begins with the newest. */
  readonly cursor?: string
}

export const shownBy = (query: URLSearchParams): Shown => ({
  text: (query.get("q") ?? "").trim().slice(0, 64),
  isOpen: query.get("state") !== "ended",
  ...ifDefined("cursor", query.get("cursor") ?? undefined),
})

/** The value of `state` in the address. */
const stateOf = ({ isOpen }: Pick<Shown, "isOpen">): "ended" | undefined => (isOpen ? undefined : "ended")

/** The address of a part of the list under a path. */
export const listAddress = (path: string, { text, cursor, ...shown }: Shown): string =>
  addressWith(path, { q: text, state: stateOf(shown), cursor })

/**
 * Links to the other parts of a list.
 *
 * @param what the plural noun of the rows, such as `keys`
 * @param last id of the last thing of this page; absent: there is none after it
 */
export const Pager = ({
  path,
  shown: { cursor, ...shown },
  what,
  last,
}: {
  readonly path: string
  readonly shown: Shown
  readonly what: string
  readonly last: string | undefined
}) => (
  <p class="actions">
    {cursor !== undefined && <a href={listAddress(path, shown)}>Newest</a>}
    {last !== undefined && <a href={listAddress(path, { ...shown, cursor: last })}>Older {what}</a>}
    {!shown.isOpen && <a href={listAddress(path, { ...shown, isOpen: true })}>Show active</a>}
  </p>
)

/** Where a page of a verb's list begins, from its address; nothing: with the newest. */
export const cursorOf = ({ query }: Pick<Visit, "query">): { readonly cursor?: string } =>
  ifDefined("cursor", query.get("cursor") ?? undefined)

/**
 * A link to the next page of a verb's list.
 *
 * @param what the plural noun of the rows, such as `people`
 * @param next the list's cursor; absent: there is no further page
 */
export const Older = ({
  path,
  what,
  next,
}: {
  readonly path: string
  readonly what: string
  readonly next: string | undefined
}) =>
  next === undefined ? null : (
    <p class="actions">
      <a href={addressWith(path, { cursor: next })}>Older {what}</a>
    </p>
  )

/** Rows of a page, and ended ones below those in use. */
const pageSize = 50
const endedShown = 10

interface Rendered<Row> {
  readonly list: (rows: ReadonlyArray<Row>, isOpen: boolean) => VNode
  /** The newest ended rows, below those in use. */
  readonly ended: (rows: ReadonlyArray<Row>) => VNode
  readonly below?: ComponentChildren
}

/** A list of things of an account that end one day, and stay. */
interface Lasting<Row> {
  readonly path: Page["path"]
  /** One of them, such as `key`. */
  readonly noun: string
  /** How they end, such as `revoked`. */
  readonly ended: string
  /** Titles of the list of those in use, of that of ended ones, and of the link to that. */
  readonly titles: readonly [open: string, ended: string, allEnded: string]
  readonly find: string
  /** Said where nothing is in use, and where nothing has ended. */
  readonly empty: readonly [open: string, ended: string]
  readonly intro?: VNode
  readonly create: AdminOperation.Any
  readonly idOf: (row: Row) => string
  /** Rows, the newest first. */
  readonly read: (
    accountId: string,
    part: { readonly text: string; readonly open: boolean; readonly limit: number; readonly cursor?: string },
  ) => Effect.Effect<ReadonlyArray<Row>, Failure, Services>
  /** @param rows all that the page shows */
  readonly render: (
    visit: AccountVisit,
    rows: ReadonlyArray<Row>,
    isFirst: boolean,
  ) => Effect.Effect<Rendered<Row>, Failure, Services>
  readonly actions?: NonNullable<Page["actions"]>
}

const emptyText = <Row,>({ noun, ended, empty }: Lasting<Row>, { text, isOpen, cursor }: Shown): string => {
  if (text !== "") return `No ${isOpen ? "active" : ended} ${noun}s match your search.`
  if (cursor !== undefined) return `No older ${noun}.`
  return empty[isOpen ? 0 : 1]
}

/** The action of a list's page, for whoever may create what it lists. */
export const createAction = (path: Page["path"], noun: string, create: AdminOperation.Any, { actor }: Visit) =>
  ifDefined(
    "action",
    AdminOperation.isAllowed(create, actor) ? { href: `${path}/new`, label: `New ${noun}` } : undefined,
  )

/** The page of such a list: those in use with the newest ended ones below them, or the ended ones. */
export const listPage = <Row,>(list: Lasting<Row>): Page => {
  const { path, noun, titles, create, idOf, read } = list
  const view = (visit: AccountVisit) =>
    Effect.gen(function* () {
      const part = shownBy(visit.query)
      const { text, isOpen, cursor } = part
      const isFirst = isOpen && cursor === undefined
      const rows = yield* read(visit.account.id, {
        text,
        open: isOpen,
        limit: pageSize + 1,
        ...ifDefined("cursor", cursor),
      })
      const ended = isFirst ? yield* read(visit.account.id, { text, open: false, limit: endedShown + 1 }) : []
      const shown = rows.slice(0, pageSize)
      const rendered = yield* list.render(visit, [...shown, ...ended], isFirst)
      const isLong = text !== "" || rows.length + ended.length > endedShown || cursor !== undefined
      return {
        title: titles[isOpen ? 0 : 1],
        ...createAction(path, noun, create, visit),
        body: (
          <>
            {list.intro}
            {isLong && <Find label={list.find} path={path} query={visit.query} kept={{ state: stateOf(part) }} />}
            <Changed href={listAddress(path, part)} />
            {shown.length === 0 ? <p>{emptyText(list, part)}</p> : rendered.list(shown, isOpen)}
            <Pager
              path={path}
              shown={part}
              what={`${noun}s`}
              last={rows.length > pageSize ? idOf(shown.at(-1)!) : undefined}
            />
            {ended.length > 0 && (
              <details>
                <summary>{titles[1]}</summary>
                {rendered.ended(ended.slice(0, endedShown))}
                {ended.length > endedShown && (
                  <p>
                    <a href={listAddress(path, { text, isOpen: false })}>{titles[2]}</a>
                  </p>
                )}
              </details>
            )}
            {rendered.below}
          </>
        ),
      }
    })
  return ofAccount({ path, label: titles[0], view, ...ifDefined("actions", list.actions) })
}

/** The page of a form that makes something, under the list. */
export const createPage = <Params extends AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  path: Page["path"],
  noun: string,
  verb: AdminOperation.AdminOperation<Params, Results>,
  form: (visit: AccountVisit) => Effect.Effect<
    Pick<Parameters<typeof VerbForm>[0], "values" | "choices" | "omitted" | "more"> & {
      readonly intro?: VNode
      readonly aside?: VNode
    },
    Failure,
    Services
  >,
  done: (result: Schema.Schema.Encoded<Results>, visit: Visit) => Done,
  given?: Parameters<typeof toAction<Params, Results>>[2],
): Page =>
  ofAccount({
    path: `${path}/new`,
    view: (visit) =>
      Effect.map(form(visit), ({ intro, aside, ...fields }) => ({
        title: `New ${noun}`,
        body: (
          <>
            {intro}
            <div class={aside && "call"}>
              <VerbForm visit={visit} action="create" button={`Create ${noun}`} cancel={path} verb={verb} {...fields} />
              {aside && <section class="preview">{aside}</section>}
            </div>
          </>
        ),
      })),
    actions: { create: toAction(verb, done, given) },
  })
