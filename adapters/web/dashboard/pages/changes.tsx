/** @jsxRuntime automatic @jsxImportSource preact */
import { Table } from "../../view/parts.tsx"
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
    {lines.length === 0 ? (
      <p>Nothing yet.</p>
    ) : (
      <Table
        caption={caption}
        columns={["Time", "Who", "Address", ...(withAccount ? ["Account"] : []), "Change", "Subject"]}
        rows={lines.map((line) => [
          <Time key="at" at={line.at} />,
          line.name ?? line.who,
          line.address ?? "–",
          ...(withAccount ? [line.accountId === undefined ? "–" : <code key="account">{line.accountId}</code>] : []),
          line.verb.replaceAll("_", " "),
          <code key="subject">{line.subject}</code>,
        ])}
      />
    )}
    <Older path={path} what="changes" next={next} />
  </>
)
