/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { ChangeLog } from "../../../../../core/people/Change.ts"
import type { Page } from "../../Page.ts"
import { beforeOf, Lines, many } from "../changes.tsx"
import { Parts, root } from "./frame.tsx"

const path = `${root}/changes` as const

/** The log of changes of all accounts, and of what belongs to none. */
export const changesPage: Page = {
  path,
  audience: "operator",
  view: (visit) =>
    Effect.map(
      Effect.flatMap(ChangeLog, (log) => log.page({ ...beforeOf(visit), limit: many })),
      (lines) => ({
        title: "Changes",
        body: (
          <Parts at={path}>
            <Lines
              lines={lines}
              caption="Changes of all accounts"
              path={path}
              next={lines.length < many ? undefined : lines.at(-1)?.seq}
              withAccount
            />
          </Parts>
        ),
      }),
    ),
}
