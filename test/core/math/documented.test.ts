import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { claims } from "../../../bench/tools/math/accuracy.ts"
import { documented } from "../../../bench/tools/mathTable.ts"
import * as math from "../../../core/math/mod.ts"

const comments = new Map(documented().map(({ name, comment }) => [name, comment]))
const exported = Object.entries(math).flatMap(([module, values]) =>
  Object.entries(values).map(([name, value]) => [`${module}.${name}`, value as unknown] as const),
)
const readme = readFileSync(new URL("../../../core/math/README.md", import.meta.url), "utf8")

describe("the documentation of the mathematics", () => {
  it.each(exported)("of %s has a sentence and a row in the table", (name) => {
    assert.isDefined(comments.get(name), `${name} has no doc comment.`)
    assert.include(readme, `| \`${name}\` |`)
  })

  it.each(Object.keys(math))("of the module %s has an example", (module) => {
    const docs = exported.filter(([name]) => name.startsWith(`${module}.`)).map(([name]) => comments.get(name)!)
    assert.isTrue(docs.some((comment) => /@example\n```ts\nimport /.test(comment)))
  })

  it("names its source wherever a formula has an author", () => {
    const known = ["devig.shin", "pit.pitHistogram", "murphy.decomposed"]
    for (const name of [...known, "score.crpsDiscrete", "wilson.wilson", "bootstrap.clusterBootstrap"]) {
      assert.match(comments.get(name)!, /\((?:19|20)\d\d\)|Meteorol\.|\d\d\d\d\)/, name)
    }
  })

  it("claims an accuracy for exported values alone", () => {
    const names = exported.map(([name]) => name)
    for (const { name } of claims) assert.include(names, name)
  })
})
