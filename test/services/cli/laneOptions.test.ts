import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { laneOptions } from "../../../services/cli/laneOptions.ts"

const options = laneOptions({
  station: { type: "text", count: "optional", choices: ["KNYC", "KMIA"], description: "Only this station." },
  year: { type: "integer", description: "A year." },
  paths: { type: "text", count: "repeated", description: "Files." },
  again: { type: "flag", description: "Once more." },
  words: { type: "positionals", description: "file or folder" },
})

const read = (name: string, ...given: ReadonlyArray<string>) => Effect.runSync(options[name]!.read(given))
const refused = (name: string, ...given: ReadonlyArray<string>) =>
  Effect.runSync(Effect.flip(options[name]!.read(given))).message

it("an argument has the kind of its form, and says whether it is needed or may come again", () => {
  const shown = Object.values(options).map(({ name, kind, isRequired, isRepeatable }) => [
    name,
    kind,
    isRequired,
    isRepeatable,
  ])
  assert.deepStrictEqual(shown, [
    ["--station", "KNYC|KMIA", false, false],
    ["--year", "integer", true, false],
    ["--paths", "text", false, true],
    ["--again", "", false, false],
    ["<file or folder>", "", false, true],
  ])
})

it("an argument that may be absent has no value then", () => {
  assert.isUndefined(read("station"))
  assert.isFalse(read("again"))
  assert.deepStrictEqual(read("paths"), [])
  assert.strictEqual(refused("year"), "--year is required: A year.")
})

it("values are read by their form", () => {
  assert.strictEqual(read("station", "KMIA"), "KMIA")
  assert.strictEqual(refused("station", "KXXX"), '--station: expected KNYC or KMIA; got "KXXX".')
  assert.strictEqual(read("year", "2024"), 2_024)
  assert.deepStrictEqual(read("paths", "a", "b"), ["a", "b"])
  assert.deepStrictEqual(read("words", "a", "b"), ["a", "b"])
})
