import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import { start } from "../support/running.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "served-model-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const moduleOf = (name: string, text: string): string => {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, text)
  return file
}

const asking = async (file: string) => {
  const running = await start({ cryptoModel: Option.some(file) })
  try {
    const before = await running.balance()
    const { status, json } = await running.get("/v1/crypto/signal?asset=BTC&horizon_minutes=60&verbose=true")
    return { status, json: json.results ?? json, charged: before - (await running.balance()) }
  } finally {
    await running.stop()
  }
}

describe("CRYPTO_MODEL", () => {
  it("serves a model of the bench, with its name on the signal", async () => {
    const file = moduleOf(
      "own",
      `export const name = "own-1"
export const forecast = ({ horizonMinutes, spot }, history) => {
  if (history.at(-1).close !== spot || history.length < 10_000) throw new Error("no week of closes")
  return { scale: 0.001 * Math.sqrt(horizonMinutes), location: 0.002 }
}`,
    )
    const { status, json, charged } = await asking(file)
    assert.strictEqual(status, 200)
    assert.strictEqual(json.model_version, "own-1")
    assert.closeTo(json.sigma_ln, 0.001 * Math.sqrt(60), 1e-6)
    assert.isAbove(charged, 0)
    // The median is .2 % above spot.
    const above: ReadonlyArray<{ readonly strike: number; readonly p_above: number }> = json.p_above
    const [nearest] = [...above].sort((a, b) => Math.abs(a.strike - json.spot) - Math.abs(b.strike - json.spot))
    assert.isAbove(nearest!.p_above, 0.55)
  })

  it("charges nothing for what is no law, and says nothing of it to the caller", async () => {
    const file = moduleOf("wrong", "export const forecast = () => ({ scale: -1 })")
    const { status, json, charged } = await asking(file)
    assert.deepStrictEqual([status, json.error.code, charged], [500, "internal_error", 0])
  })

  it.each([
    ["absent", join("no", "such", "model.mjs"), /CRYPTO_MODEL: .*model\.mjs: Cannot find module/],
    ["without a function", undefined, /CRYPTO_MODEL: .*exports neither forecast/],
  ])("stops the start when the module is %s", async (name, given, message) => {
    const file = given ?? moduleOf(name.replaceAll(" ", "-"), "export const name = 1")
    const failed = await start({ cryptoModel: Option.some(file) }).then(
      (running) => running.stop().then(() => "started"),
      (error: unknown) => String(error),
    )
    assert.match(failed, message)
  })
})
