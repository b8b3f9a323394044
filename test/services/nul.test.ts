import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { database, isPostgres } from "../support/postgres.ts"
import { start } from "../support/running.ts"

const token = "0123456789abcdef0123456789abcdef"

/** A request with U+0000 in a text, and the field that its error names. */
const requests: ReadonlyArray<readonly [target: string, field: string, body?: Readonly<Record<string, unknown>>]> = [
  ["/v1/proof/inclusion?leaf=a%00b", "leaf"],
  ["/v1/nfl/qb?player=Ma%00homes", "player"],
  ["/v1/markets/settled?cursor=a%00", "cursor"],
  ["admin/accounts/a%00b/wallet", "account"],
  ["admin/accounts/a%00b/keys", "account"],
  ["admin/accounts/a%00b/webhooks", "account"],
  ["admin/accounts/a%00b/dead-letters", "account"],
  ["admin/agents/agent_%00", "agent"],
  ["admin/agents/a/audit?since=req_%00", "since"],
  ["admin/webhooks/a%00/deliveries", "webhook"],
  ["admin/accounts", "name", { name: "a\u0000" }],
  ["admin/accounts/tester/agents", "name", { name: "a\u0000" }],
  ["admin/accounts/tester/keys", "agent", { environment: "live", tier: "pro", agent: "a\u0000" }],
  ["admin/accounts/tester/credits", "account", { account: "a\u0000" }],
  ["admin/accounts/tester/webhooks", "url", { url: "https://a.example/\u0000", events: ["agent.budget_warning"] }],
  ["admin/keys/key_%00/revoke", "key", {}],
]

describe("a request with U+0000", () => {
  it.scopedLive("is refused with the field's name before the store is asked, on either store", () =>
    Effect.gen(function* () {
      const changes = isPostgres ? { postgres: Option.some(yield* database) } : {}
      const running = yield* Effect.acquireRelease(
        Effect.promise(() =>
          start({
            ...changes,
            admin: {
              token: Option.some(Redacted.make(token)),
              listen: Option.some({ host: "127.0.0.1", port: 0 }),
            },
          }),
        ),
        ({ stop }) => Effect.promise(stop),
      )
      for (const [target, field, body] of requests) {
        const isAdmin = target.startsWith("admin/")
        const url = isAdmin ? `${running.adminUrl}/admin/v1/${target.slice("admin/".length)}` : running.url + target
        const response = yield* Effect.promise(() =>
          fetch(url, {
            headers: {
              authorization: `Bearer ${isAdmin ? token : running.account.live.token}`,
              ...(body === undefined ? {} : { "content-type": "application/json" }),
            },
            ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
          }),
        )
        const { error } = (yield* Effect.promise(() => response.json())) as {
          readonly error: { readonly hints: ReadonlyArray<{ readonly field: string }> }
        }
        assert.include([400, 422], response.status, target)
        assert.include(
          error.hints.map((hint) => hint.field),
          field,
          target,
        )
      }
    }),
  )
})
