import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { moduleModel } from "../../../../adapters/runtime/node/moduleModel.ts"

const folder = mkdtempSync(join(tmpdir(), "models-"))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const modelOf = (source: string) => {
  const file = join(folder, `model${files++}.mjs`)
  writeFileSync(file, source)
  return moduleModel(file)
}

const failureOf = (loading: Promise<unknown>) =>
  loading.then(
    () => assert.fail("It was loaded."),
    (error: Error) => error.message,
  )

/** The models here do not look back. */
const none = {} as never

const wrong = "exports neither forecast(question, history) nor start() that returns such a function."

describe("a model in a module", () => {
  it("is its forecast, with name and version", async () => {
    const model = await modelOf('export const name = "mine", version = "2"\nexport const forecast = (x) => x + 1')
    assert.deepStrictEqual([model.name, model.version], ["mine", "2"])
    assert.strictEqual(model.start()(1, none), 2)
  })

  it("may be the default export, and need no name", async () => {
    const model = await modelOf("export default { forecast: () => 7 }")
    assert.deepStrictEqual([model.name, model.version], ["own model", undefined])
    assert.strictEqual(model.start()(1, none), 7)
    assert.strictEqual((await modelOf('export const name = "", forecast = () => 1')).name, "own model")
    assert.strictEqual((await modelOf("export const name = 5, forecast = () => 1")).name, "own model")
  })

  it("may begin anew for each run, before a plain forecast", async () => {
    const model = await modelOf("export const start = () => { let n = 0; return () => ++n }\nexport const forecast = 1")
    const [one, other] = [model.start(), model.start()]
    assert.deepStrictEqual([one(0, none), one(0, none), other(0, none)], [1, 2, 1])
  })

  it("is refused without such a function, whenever that shows", async () => {
    assert.strictEqual(await failureOf(modelOf("export const forecast = 1")), wrong)
    assert.strictEqual(await failureOf(modelOf("export {}")), wrong)
    const model = await modelOf("export const start = () => 1")
    assert.throws(() => model.start(), wrong)
  })

  it("fails with the error of its own", async () => {
    assert.strictEqual(await failureOf(modelOf('throw new Error("broken")')), "broken")
  })
})
