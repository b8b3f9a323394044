import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { guidePath, guides, inProse, names, values } from "../../../adapters/describe/guides.ts"
import { defaultLimits } from "../../../adapters/server/http/listener.ts"
import { anchor } from "../../../adapters/web/docs/Guide.tsx"
import { catalogue } from "../../../core/lanes/all.ts"

const facts = { baseUrl: "https://api.example.com", catalogue, limits: defaultLimits }
const all = guides(facts)

const read = (name: string) =>
  readFileSync(new URL(`../../../adapters/describe/guides/${name}.md`, import.meta.url), "utf8")

describe("the guides", () => {
  it("state every value that there is, and each has been filled in", () => {
    const written = names.filter((name) => name !== "python" && name !== "embedding").map(read)
    const stated = written.flatMap((text) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, value]) => value!))
    assert.sameMembers([...new Set(stated)], Object.keys(values(facts)))
    for (const { name, text } of all) assert.notMatch(text, /\{\{|undefined|NaN|\[object|127\.0\.0\.1:8080|<!--/, name)
  })

  it("have a title, and a first paragraph that is short enough for a list", () => {
    assert.strictEqual(new Set(all.map(({ title }) => title)).size, names.length)
    for (const { name, summary } of all) {
      assert.isAbove(summary.length, 40, name)
      assert.isBelow(summary.length, 200, name)
      assert.notMatch(summary, /\]\(|\n/, name)
    }
  })

  it.each(all)("$name links to guides and headings that exist", ({ path: own, text }) => {
    const headings = (of: string) => [...of.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading!))
    inProse(text, (prose) => {
      for (const [, link] of prose.matchAll(/\]\(([^)]*)\)/g)) {
        assert.match(link!, /^[/#]/)
        const [path, heading] = (link!.startsWith("#") ? own + link : link!).split("#")
        if (!path!.startsWith(guidePath("{name}").replace("{name}", ""))) continue
        const to = all.find((guide) => guide.path === path)
        assert.isDefined(to, link)
        if (heading !== undefined) assert.include(headings(to!.text), heading)
      }
      return prose
    })
  })
})
