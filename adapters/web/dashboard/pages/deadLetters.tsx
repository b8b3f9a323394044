/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { replayableEvents } from "../../../../core/events/Webhooks.ts"
import { webhookVerbs } from "../../../admin/webhookVerbs.ts"
import { performAs } from "../actions.ts"
import { cursorOf, Older } from "../listing.tsx"
import { ofAccount } from "../Page.ts"
import { Deliveries, pageSize, path, replay } from "./deliveries.tsx"

const { webhooksDeadLetters, webhooksList } = webhookVerbs

/** The dead letters of all webhooks of an account, with those that are deleted. */
export const deadLetters = ofAccount({
  path: `${path}/dead-letters`,
  view: (visit) =>
    Effect.gen(function* () {
      const { dead_letters: all, next } = yield* performAs(visit, webhooksDeadLetters, {
        limit: pageSize,
        ...cursorOf(visit),
      })
      const { webhooks } = yield* performAs(visit, webhooksList, {})
      return {
        title: "Failed deliveries",
        body: (
          <>
            <p>
              Deliveries that are not tried again by themselves. The account's last {replayableEvents} events can be
              sent again. <a href={path}>All webhooks</a>
            </p>
            {all.length === 0 ? (
              <p>No failed deliveries.</p>
            ) : (
              <Deliveries visit={visit} caption="Newest first" all={all} webhooks={webhooks} withWebhook />
            )}
            <Older path={`${path}/dead-letters`} what="failed deliveries" next={next} />
          </>
        ),
      }
    }),
  actions: { replay: replay((_, values) => values.get("webhook") ?? "") },
})
