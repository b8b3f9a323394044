/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { ChangeLog } from "../../../../../core/people/Change.ts"
import type { Page, Visit } from "../../Page.ts"
import { Lines, pageSize } from "../changes.tsx"
import { Parts, root } from "./frame.tsx"

const path = `${root}/changes` as const

/** Where a page begins, from its address: the cursor is the number of a line. */
const parseCursor = ({ query }: Visit): { readonly before?: number } => {
  const given = Number(query.get("cursor") ?? "")
  return Number.isSafeInteger(given) && given > 0 ? { before: given } : {}
}

/** The log of changes of all accounts, and of what belongs to none. */
export const changesPage: Page = {
  path,
  audience: "operator",
  view: (visit) =>
    Effect.map(
      Effect.flatMap(ChangeLog, (log) => log.page({ ...parseCursor(visit), limit: pageSize })),
      (lines) => ({
        title: "Changes",
        body: (
          <Parts at={path}>
            <Lines
              lines={lines}
              caption="Changes of all accounts"
              path={path}
              next={lines.length < pageSize ? undefined : String(lines.at(-1)!.seq)}
              withAccount
            />
          </Parts>
        ),
      }),
    ),
}
