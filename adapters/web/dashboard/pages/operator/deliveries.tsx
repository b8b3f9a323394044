/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { countText } from "../../../../../core/BoundedCount.ts"
import { Installation, type Sent } from "../../../../../core/operation/Installation.ts"
import { day } from "../../../../../core/time.ts"
import { delivery as markShape } from "../../../../admin/webhookShapes.ts"
import { due } from "../../../condition/ofService.ts"
import { Facts, List, type ListColumn, numeric, State } from "../../../view/parts.tsx"
import type { Page } from "../../Page.ts"
import { Time } from "../../parts.tsx"
import { endOf, eventOf, Outcome } from "../deliveries.tsx"
import { accountPath, root } from "./paths.ts"

const path = `${root}/deliveries` as const

const pageSize = 20

const columns: ReadonlyArray<ListColumn<Sent & { readonly shape: ReturnType<typeof markShape> }>> = [
  ["Event", ({ shape }) => eventOf(shape, undefined, true)],
  ["Account", ({ account }) => <a href={accountPath(account.id)}>{account.name}</a>],
  ["To", ({ url }) => <code>{new URL(url).host}</code>],
  ["State", ({ shape }) => <Outcome {...shape} />],
  [
    "Last attempt",
    ({ shape: { attempts } }) =>
      attempts.length === 0 ? "none yet" : `${attempts.length}: ${endOf(attempts.at(-1)!)}`,
  ],
]

const listed = (which: string, all: ReadonlyArray<Sent>, empty: string) => (
  <List
    caption={`The newest ${which}deliveries`}
    rows={all.map((sent) => ({ ...sent, shape: markShape(sent.delivery) }))}
    empty={empty}
    columns={columns}
  />
)

/** Webhook deliveries of all accounts: how many wait, what failed, and whose. */
export const deliveriesPage: Page = {
  path,
  label: "Deliveries",
  audience: "operator",
  view: (visit) =>
    Effect.gen(function* () {
      const installation = yield* Installation
      const { pending, dueAt, ended, dead, deadByAccount } = yield* installation.deliveries(visit.now - day)
      const letters = yield* installation.sent({ dead: true, limit: pageSize })
      const newest = yield* installation.sent({ dead: false, limit: pageSize })
      return {
        title: "Deliveries",
        body: (
          <>
            <Facts
              of={{
                "On their way": (
                  <>
                    {countText(pending)}
                    {dueAt !== undefined && (
                      <>
                        , the first due <Time at={dueAt} isExact /> <State is={due(visit.now - dueAt)} />
                      </>
                    )}
                  </>
                ),
                "Ended in 24 hours": countText(ended),
                "Failed in 24 hours": countText(dead),
              }}
            />
            <section class="listing">
              <h2>Failed deliveries</h2>
              {letters.length > 0 && (
                <List
                  caption="Accounts with the newest failed deliveries"
                  rows={deadByAccount}
                  columns={[
                    ["Account", ({ account }) => <a href={accountPath(account.id)}>{account.name}</a>],
                    [numeric("Failed deliveries"), ({ count }) => count],
                  ]}
                />
              )}
              {listed("failed ", letters, "No failed deliveries.")}
            </section>
            <section class="listing">
              <h2>Newest deliveries</h2>
              {listed("", newest, "No event yet.")}
            </section>
          </>
        ),
      }
    }),
}
