import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Running, start } from "../../../support/running.ts"
import { lint, ofExamples } from "../../support/openApiRules.ts"

let running: Running
let text: string
// biome-ignore lint/suspicious/noExplicitAny: a document that other programs judge
let document: any
beforeAll(async () => {
  running = await start()
  text = (await running.get("/openapi.json", "")).text
  document = JSON.parse(text)
})
afterAll(() => running.stop())

describe("the OpenAPI document, by a linter", () => {
  it("has no fault that Redocly's rules find", async () => {
    assert.deepStrictEqual(await lint(text), [])
  })

  const operation = (of: typeof document) => of.paths["/v1/weather/stations"].get
  const parameter = (of: typeof document) => operation(of).parameters[0]
  const info = (of: typeof document) => of.info
  it.each<[string, (of: typeof document) => object, object]>([
    ["operation-operationId-unique", operation, { operationId: "weather_signal" }],
    ["operation-tag-defined", operation, { tags: ["unknown"] }],
    ["rule/operation-tags", operation, { tags: [] }],
    ["operation-description", operation, { description: undefined }],
    ["rule/no-eval", operation, { description: "eval(1)" }],
    ["info-contact", info, { contact: undefined }],
    ["rule/contact-url", info, { contact: { url: "nowhere" } }],
    ["rule/info-description", info, { description: "" }],
    ["rule/path-parameters-required", parameter, { in: "path" }],
    ["rule/array-items", parameter, { schema: { type: "array" } }],
  ])("with another content breaks %s", async (ruleId, part, change) => {
    const broken = structuredClone(document)
    Object.assign(part(broken), change)
    const problems = await lint(JSON.stringify(broken), ofExamples)
    assert.include(
      problems.map(([id]) => id),
      ruleId,
    )
  })
})
