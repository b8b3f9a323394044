import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { VNode } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import type { View } from "../../../../../adapters/web/dashboard/Page.ts"
import { allChangesPage } from "../../../../../adapters/web/dashboard/pages/changes.tsx"
import type { Failure } from "../../../../../core/Failure.ts"
import { ChangeLog, type LoggedChange } from "../../../../../core/people/Change.ts"
import { visit } from "../visit.ts"

const line = (seq: number, changes: Partial<LoggedChange> = {}): LoggedChange => ({
  ...{ seq, at: Date.UTC(2026, 10, 24), who: "per_2", verb: "keys_create", subject: "key_1" },
  ...changes,
})

/** The page of all changes at an address, over a log; and what the log was asked for. */
const shown = (query: string, lines: ReadonlyArray<LoggedChange>) => {
  const asked: Array<unknown> = []
  const log = {
    page: (of: unknown) => Effect.sync(() => (asked.push(of) > 0 ? lines : [])),
  } as unknown as ChangeLog["Type"]
  const view = allChangesPage.view(visit({ query: new URLSearchParams(query) })) as Effect.Effect<
    View,
    Failure,
    ChangeLog
  >
  return Effect.map(Effect.provideService(view, ChangeLog, log), ({ body }) => ({
    html: renderToStaticMarkup(body as VNode),
    asked,
  }))
}

describe("the log of all changes", () => {
  it.effect("says who changed what and whence, by the name where there is one, with texts of others escaped", () =>
    Effect.gen(function* () {
      const { html } = yield* shown("", [line(9, { name: "<ann>", address: "192.0.2.1", accountId: "acc_1" }), line(8)])
      assert.include(html, "&lt;ann>")
      assert.include(html, "192.0.2.1")
      assert.include(html, "<code>acc_1</code>")
      assert.include(html, "key created")
      assert.include(html, "per_2")
      assert.notInclude(html, "cursor=")
    }),
  )

  it.effect("leads on from its last line where it is full", () =>
    Effect.gen(function* () {
      const { html } = yield* shown(
        "",
        Array.from({ length: 50 }, (_, at) => line(100 - at)),
      )
      assert.include(html, "/dashboard/operator/changes?cursor=51")
    }),
  )

  it.effect("begins after the line of its address, and at the newest one for every other address", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* shown("cursor=51", [])).asked, [{ cursor: 51, limit: 50 }])
      for (const query of ["", "cursor=", "cursor=-1", "cursor=1.5", "cursor=x", "cursor=1e99"]) {
        assert.deepStrictEqual((yield* shown(query, [])).asked, [{ limit: 50 }], query)
      }
    }),
  )
})
