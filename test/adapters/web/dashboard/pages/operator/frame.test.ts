import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { accountPath, Parts, root } from "../../../../../../adapters/web/dashboard/pages/operator/frame.tsx"

describe("the pages of the operator", () => {
  it("link to each other, and mark the one that is shown", () => {
    const html = renderToStaticMarkup(h(Parts, { at: `${root}/store`, children: h("p", null, "Here.") }))
    assert.deepStrictEqual(
      [...html.matchAll(/<a href="([^"]*)"/g)].map(([, to]) => to),
      [root, `${root}/service`, `${root}/deliveries`, `${root}/changes`],
    )
    assert.include(html, '<strong aria-current="page">Record and store</strong>')
    assert.include(html, `<p><a href="${root}">Accounts</a> · `)
    assert.include(html, "</nav><p>Here.</p>")
  })

  it("have one for each account", () => {
    assert.strictEqual(accountPath("acc_1"), "/dashboard/operator/accounts/acc_1")
  })
})
