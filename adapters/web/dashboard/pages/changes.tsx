/** @jsxRuntime automatic @jsxImportSource preact */
import { List } from "../../view/parts.tsx"
import { Older } from "../listing.tsx"
import { Time } from "../parts.tsx"

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
export const pageSize = 50

/** A page of the log of changes; `next` is the cursor of the page after it. */
export const Lines = ({
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
        ["Change", ({ verb }) => verb.replaceAll("_", " ")],
        ["Subject", ({ subject }) => <code>{subject}</code>],
      ]}
    />
    <Older path={path} what="changes" next={next} />
  </>
)
