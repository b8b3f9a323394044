/** @jsxRuntime automatic @jsxImportSource preact */

import * as Effect from "effect/Effect"
import { countText } from "../../../../../core/BoundedCount.ts"
import { Installation, type Sent } from "../../../../../core/operation/Installation.ts"
import { day } from "../../../../../core/time.ts"
import { delivery as shapeOf } from "../../../../admin/webhookShapes.ts"
import { due } from "../../../../server/http/condition/ofService.ts"
import { Facts, numeric, State, Table } from "../../../view/parts.tsx"
import type { Page } from "../../Page.ts"
import { Time } from "../../parts.tsx"
import { endOf, Outcome } from "../deliveries.tsx"
import { accountPath, Parts, root } from "./frame.tsx"

const path = `${root}/deliveries` as const

/** Deliveries of a list. */
const pageSize = 20

const Listed = ({ caption, all }: { readonly caption: string; readonly all: ReadonlyArray<Sent> }) => (
  <Table
    caption={caption}
    columns={["Event", "Account", "To", "State", "Last attempt"]}
    rows={all.map(({ account, url, delivery }) => {
      const shape = shapeOf(delivery)
      const last = shape.attempts.at(-1)
      return [
        <>
          {shape.type}
          {shape.cause !== "event" && <small> {shape.cause}</small>}
          <br />
          <small>
            <Time at={shape.created_at} isExact />
          </small>
        </>,
        <a key="account" href={accountPath(account.id)}>
          {account.name}
        </a>,
        <code key="to">{new URL(url).host}</code>,
        <Outcome key="state" {...shape} />,
        last === undefined ? "none yet" : `${shape.attempts.length}: ${endOf(last)}`,
      ]
    })}
  />
)

/** Webhook deliveries of all accounts: how many wait, what failed, and whose. */
export const deliveriesPage: Page = {
  path,
  audience: "operator",
  view: (visit) =>
    Effect.gen(function* () {
      const installation = yield* Installation
      const { pending, dueAt, ended, dead, deadOf } = yield* installation.deliveries(visit.now - day)
      const letters = yield* installation.sent({ dead: true, limit: pageSize })
      const newest = yield* installation.sent({ dead: false, limit: pageSize })
      return {
        title: "Deliveries",
        body: (
          <Parts at={path}>
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
              {letters.length === 0 ? (
                <p>No failed deliveries.</p>
              ) : (
                <>
                  <Table
                    caption="Accounts with the newest failed deliveries"
                    columns={["Account", numeric("Failed deliveries")]}
                    rows={deadOf.map(({ account, count }) => [
                      <a key="account" href={accountPath(account.id)}>
                        {account.name}
                      </a>,
                      count,
                    ])}
                  />
                  <Listed caption="The newest failed deliveries" all={letters} />
                </>
              )}
            </section>
            <section class="listing">
              <h2>Newest deliveries</h2>
              {newest.length === 0 ? <p>No event yet.</p> : <Listed caption="The newest deliveries" all={newest} />}
            </section>
          </Parts>
        ),
      }
    }),
}
