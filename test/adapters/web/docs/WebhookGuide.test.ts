import { assert, describe, it } from "@effect/vitest"
import { bare } from "../../../../adapters/server/http/Site.ts"
import { webhookGuide } from "../../../../adapters/web/docs/WebhookGuide.tsx"
import * as Event from "../../../../core/events/Event.ts"
import { standard } from "../../../../core/events/retry.ts"
import { elementsOf } from "../../../support/wellFormed.ts"

const html = webhookGuide(bare)
const elements = elementsOf(html)
const textsOf = (name: string) => elements.flatMap((element) => (element.name === name ? [element.text] : []))

describe("the guide for receivers of webhooks", () => {
  it("explains every type of event once", () => {
    assert.deepStrictEqual(
      textsOf("dt").map((text) => text.replace(/<\/?code>/g, "")),
      [...Event.types],
    )
    for (const text of textsOf("dd")) assert.isAbove(text.length, 10)
  })

  it("shows events as they are sent", () => {
    for (const type of ["agent.budget_warning", "wallet.low"] as const) {
      const shown = JSON.stringify(Event.example(type), null, 2).replaceAll('"', "&quot;")
      assert.isTrue(
        textsOf("code")
          .concat(textsOf("pre"))
          .some((text) => text.includes(shown)),
        type,
      )
    }
  })

  it("has the times of the retries, as short as they are said", () => {
    const [, list] = /retried (.*?) after the first attempt/.exec(html)!
    const ms = { s: 1_000, min: 60_000, h: 3_600_000 }
    assert.deepStrictEqual(
      list!.split(", ").map((text) => {
        const [size, unit] = text.split(" ") as [string, keyof typeof ms]
        return Number(size) * ms[unit]
      }),
      standard.offsetsMs.slice(1),
    )
  })
})
