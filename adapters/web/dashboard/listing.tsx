/** @jsxRuntime automatic @jsxImportSource preact */
import { ifDefined } from "../../../core/endpoint/Field.ts"
import type { Visit } from "./Page.ts"

/** The part of a list that a page shows, as its address says it. */
export interface Shown {
  /** The text that the rows contain; empty: all rows. */
  readonly text: string
  /** Whether rows in use are listed; otherwise those that have ended. */
  readonly isOpen: boolean
  /** The id of the last thing of the page before; absent: it begins with the newest. */
  readonly before?: string
}

export const shownBy = (query: URLSearchParams): Shown => ({
  text: (query.get("q") ?? "").trim().slice(0, 64),
  isOpen: query.get("state") !== "ended",
  ...ifDefined("before", query.get("before") ?? undefined),
})

/** The value of `state` in the address. */
export const stateOf = ({ isOpen }: Pick<Shown, "isOpen">): "ended" | undefined => (isOpen ? undefined : "ended")

/** The address of a part of the list under a path. */
export const listAddress = (path: string, { text, isOpen, before }: Shown): string => {
  const given = Object.entries({ q: text, state: stateOf({ isOpen }), before }).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/**
 * Links to the other parts of a list.
 *
 * @param what the things of the list are called, such as `keys`
 * @param last id of the last thing of this page; absent: there is none after it
 */
export const Pager = ({
  path,
  shown: { before, ...shown },
  what,
  last,
}: {
  readonly path: string
  readonly shown: Shown
  readonly what: string
  readonly last: string | undefined
}) => (
  <p class="actions">
    {before !== undefined && <a href={listAddress(path, shown)}>Newest</a>}
    {last !== undefined && <a href={listAddress(path, { ...shown, before: last })}>Older {what}</a>}
    {!shown.isOpen && <a href={listAddress(path, { ...shown, isOpen: true })}>Show active</a>}
  </p>
)

/** Where a page of a verb's list begins, from its address; nothing: with the newest. */
export const cursorOf = ({ query }: Pick<Visit, "query">): { readonly cursor?: string } =>
  ifDefined("cursor", query.get("cursor") ?? undefined)

/**
 * A link to the next page of a verb's list.
 *
 * @param what the things of the list are called, such as `people`
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
      <a href={`${path}?${new URLSearchParams({ cursor: next })}`}>Older {what}</a>
    </p>
  )
