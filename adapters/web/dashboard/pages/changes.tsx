/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { ChangeLog } from "../../../../core/people/Change.ts"
import { peopleVerbs } from "../../../admin/peopleVerbs.ts"
import { List } from "../../view/parts.tsx"
import { performAs } from "../actions.ts"
import { cursorOf, Older } from "../listing.tsx"
import { ofAccount, type Page, type Visit } from "../Page.ts"
import { Time } from "../parts.tsx"
import { changeText } from "../Refused.tsx"
import { root } from "./operator/paths.ts"

const { changesList } = peopleVerbs

/** A line of the log, as a page shows it. */
interface Line {
  readonly at: string | number
  readonly who: string
  readonly name?: string
  readonly address?: string
  readonly accountId?: string
  readonly verb: string
  readonly subject: string
}

/** Lines of a page. */
const pageSize = 50

/** A page of the log of changes; `next` is the cursor of the page after it. */
const Lines = ({
  lines,
  caption,
  path,
  next,
  withAccount = false,
}: {
  readonly lines: ReadonlyArray<Line>
  readonly caption: string
  readonly path: string
  readonly next: string | undefined
  readonly withAccount?: boolean
}) => (
  <>
    <p>Who changed what, newest first. Lines are never changed or deleted.</p>
    <List
      caption={caption}
      rows={lines}
      empty="Nothing yet."
      columns={[
        ["Time", ({ at }) => <Time at={at} />],
        ["Who", ({ name, who }) => name ?? who],
        ["Address", ({ address }) => address ?? "–"],
        withAccount && ["Account", ({ accountId }) => (accountId === undefined ? "–" : <code>{accountId}</code>)],
        ["Change", ({ verb }) => changeText(verb)],
        ["Subject", ({ subject }) => <code>{subject}</code>],
      ]}
    />
    <Older path={path} what="changes" next={next} />
  </>
)

const path = "/dashboard/changes"

/** The log of an account. */
export const changesPage = ofAccount({
  path,
  label: "Changes",
  view: (visit) =>
    Effect.map(performAs(visit, changesList, { limit: pageSize, ...cursorOf(visit) }), (found) => ({
      title: "Changes",
      body: <Lines lines={found.changes} caption="Changes of the account" path={path} next={found.next} />,
    })),
})

const operatorPath = `${root}/changes` as const

/** Where a page begins, from its address: the cursor is the number of a line. */
const parseCursor = ({ query }: Visit): { readonly cursor?: number } => {
  const given = Number(query.get("cursor") ?? "")
  return Number.isSafeInteger(given) && given > 0 ? { cursor: given } : {}
}

/** The log of changes of all accounts and of the service. */
export const allChangesPage: Page = {
  path: operatorPath,
  label: "All changes",
  audience: "operator",
  view: (visit) =>
    Effect.map(
      Effect.flatMap(ChangeLog, (log) => log.page({ ...parseCursor(visit), limit: pageSize })),
      (lines) => ({
        title: "All changes",
        body: (
          <Lines
            lines={lines}
            caption="Changes of all accounts"
            path={operatorPath}
            next={lines.length < pageSize ? undefined : String(lines.at(-1)!.seq)}
            withAccount
          />
        ),
      }),
    ),
}
