import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { VNode } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { idle, type Operation } from "../../../../../../adapters/web/dashboard/Operation.ts"
import type { Visit } from "../../../../../../adapters/web/dashboard/Page.ts"
import { storePage } from "../../../../../../adapters/web/dashboard/pages/operator/store.tsx"
import { Installation } from "../../../../../../core/operation/Installation.ts"
import { RecordLog } from "../../../../../../core/record/log/RecordLog.ts"

const now = Date.UTC(2026, 6, 9, 12)
const schedule = { text: "every day" } as Operation["jobs"][number]["schedule"]

/** The page over a store, and a record of 1,200 leaves. */
const shown = (last?: { readonly at: number; readonly size: number }) =>
  storePage({
    ...idle,
    jobs: ["retention", "capture"].map((name) => ({ name, description: `What ${name} does.`, schedule })),
  })
    .view({ now } as unknown as Visit)
    .pipe(
      Effect.provideService(Installation, {
        store: Effect.succeed({ server: "A server", schema: 40, bytes: 2_500_000 }),
      } as unknown as Installation["Type"]),
      Effect.provideService(RecordLog, {
        size: Effect.succeed(1_200),
        checkpoint: () => Effect.succeed(last),
      } as unknown as RecordLog["Type"]),
      (view) => view as unknown as Effect.Effect<{ readonly body: VNode }>,
      Effect.map(({ body }) => renderToStaticMarkup(body)),
    )

describe("the operator's page of the store", () => {
  it.effect("says how many entries no checkpoint has signed", () =>
    Effect.gen(function* () {
      const unsigned = yield* shown()
      assert.include(unsigned, "2.5 MB")
      assert.include(unsigned, "none yet")
      assert.include(unsigned, "1,200 entries")
      const html = yield* shown({ at: now - 60_000, size: 1_150 })
      assert.include(html, "1,150 entries")
      assert.include(html, "<dd>50 entries</dd>")
    }),
  )

  it.effect("names the jobs that delete, and no other", () =>
    Effect.gen(function* () {
      const html = yield* shown()
      assert.include(html, 'What retention does. <span class="soft">every day</span>')
      assert.notInclude(html, "What capture does.")
    }),
  )
})
