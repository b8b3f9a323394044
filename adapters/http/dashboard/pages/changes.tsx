/** @jsxRuntime automatic @jsxImportSource preact */
import { Table } from "../../view/Table.tsx"
import type { Visit } from "../Page.ts"
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
export const many = 50

/** Where a page of the log begins, from its address. */
export const beforeOf = ({ query }: Visit): { readonly before?: number } => {
  const given = Number(query.get("before") ?? "")
  return Number.isSafeInteger(given) && given > 0 ? { before: given } : {}
}

/**
 * A page of the log of changes.
 *
 * @param next the line that the next page begins before; absent: there is none
 */
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
  readonly next: number | undefined
  readonly withAccount?: boolean
}) => (
  <>
    <p>Who changed what, newest first. Lines are never changed or deleted.</p>
    {lines.length === 0 ? (
      <p>Nothing yet.</p>
    ) : (
      <Table
        caption={caption}
        columns={["Time", "Who", "Address", ...(withAccount ? ["Account"] : []), "Change", "Of"]}
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
    {next !== undefined && (
      <p>
        <a href={`${path}?before=${next}`}>Older changes</a>
      </p>
    )}
  </>
)
