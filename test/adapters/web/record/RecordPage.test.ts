import { assert, describe, it } from "@effect/vitest"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { type Props, recordPage } from "../../../../adapters/web/record/RecordPage.tsx"

const checkpoint = {
  size: 1_234,
  signed_at: "2026-11-24T21:05:00.123Z",
  note: "origin\n1234\nroot",
  key: "the+key",
} as NonNullable<Props["checkpoint"]>

const inclusion = {
  size: 1_234,
  root: "root",
  proof: ["low", "high"],
  leaf: { position: 5, id: "prediction/5", hash: "beef", text: "station <KNYC>" },
} as unknown as NonNullable<Props["found"]> & { readonly leaf: object }

const shown = (more: Partial<Props> = {}) =>
  recordPage({ site: emptySite, baseUrl: "https://a.example", isDemo: false, checkpoint, leaf: "", ...more })

describe("the page of the record", () => {
  it("has the newest checkpoint", () => {
    const html = shown()
    assert.include(html, "<span>Entries</span> <strong>1,234</strong>")
    assert.include(html, ">24 Nov 2026, 21:05:00 UTC</time>")
    assert.include(html, "Public key: <code>the+key</code>")
  })

  it("says where nothing has been signed yet", () => {
    const html = shown({ checkpoint: undefined })
    assert.include(html, "None has been signed yet.")
    assert.notInclude(html, "Public key")
  })

  it("says at the question why there is no proof", () => {
    const html = shown({ leaf: "<x>", found: { problem: "There is no such leaf." } })
    assert.include(html, 'value="&lt;x>"')
    assert.include(html, 'aria-invalid="true" aria-describedby="problem"')
    assert.include(html, '<p id="problem" class="notice">There is no such leaf.</p>')
    assert.notInclude(html, "<h2>Entry")
    assert.notInclude(shown(), "aria-invalid")
  })

  it("shows a leaf with its text and its proof, lowest first", () => {
    const html = shown({ leaf: "prediction/5", found: inclusion })
    assert.include(html, "<h2>Entry 5</h2>")
    assert.include(html, 'data-leaf="prediction/5"')
    assert.include(html, "<code>station &lt;KNYC></code>")
    assert.include(html, "<code>root</code>, of the first 1,234 entries")
    assert.include(html, "<summary>Proof: 2 hashes</summary>")
    assert.include(html, '<th scope="row">0</th><td><code>low</code></td>')
    assert.include(html, '<th scope="row">1</th><td><code>high</code></td>')
  })

  it("says of a sealed leaf until when, and of a record of one leaf no proof", () => {
    const { text: _, ...leaf } = inclusion.leaf as Readonly<Record<string, unknown>>
    const sealed = { ...inclusion, proof: [], leaf: { ...leaf, sealed_until: "2026-12-01" } }
    const html = shown({ leaf: "5", found: sealed as unknown as NonNullable<Props["found"]> })
    assert.include(html, "Sealed until 1 Dec 2026, 00:00 UTC.")
    assert.notInclude(html, "<summary>Proof")
  })

  it("has commands for the leaf that was asked for, else for the first", () => {
    assert.include(shown(), "curl &quot;https://a.example/v1/proof/inclusion?leaf=0&quot;")
    assert.include(shown({ leaf: "a/b c" }), "inclusion?leaf=a%2Fb%20c")
  })
})
