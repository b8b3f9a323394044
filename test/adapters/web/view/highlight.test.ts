import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { Highlighted, type Language } from "../../../../adapters/web/view/highlight.tsx"

const languages = ["json", "sh", "ts", "py"] as const satisfies ReadonlyArray<Language>
const drawn = (text: string, lang: Language) => renderToString(h(Highlighted, { text, lang }))
const plain = (html: string) =>
  html
    .replace(/<\/?(?:span|i|wbr)\b[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")

describe("code in colours", () => {
  it.each([
    ["json", '{"p": 0.31, "ok": true}', ['hp">"p"', 'hn">0.31', 'hk">true']],
    ["sh", 'curl -H "Authorization: Bearer x" "https://a.example"', ['hk">curl', 'hp">-H', 'hs">"https://a.example"']],
    ["ts", 'const a = await f({ station: "KNYC" }) // now', ['hk">const', 'hp">station', 'hs">"KNYC"', 'hc">// now']],
    ["py", "import httpx\nf(params=None)  # now", ['hk">import', 'hp">params', 'hk">None', 'hc"># now']],
  ] as const)("names the parts of %s", (lang, text, parts) => {
    const html = drawn(text, lang).replaceAll("&quot;", '"')
    for (const part of parts) assert.include(html, `<i class="${part}</i>`)
  })

  it("changes no letter of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.constantFrom(...languages), (text, lang) => {
        assert.strictEqual(plain(drawn(text, lang)), text)
      }),
    )
  })
})
