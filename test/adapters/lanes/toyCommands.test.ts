import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import { modules } from "../../../adapters/lanes/all.ts"
import { ingestCommands } from "../../../services/cli/ingest.ts"
import { runLine } from "../../../services/cli/line.ts"
import { family } from "../../../services/cli/parser.ts"
import { commandLine } from "../../support/commandLine.ts"
import { json, replay } from "../../support/replay.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"
import { toy } from "../../support/toyLane/adapters/commands.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

/** The command line with the toy lane in the list of modules. */
const toyLine = (store: string, url = "http://127.0.0.1:9") => {
  const all = [...modules, { ...toy, upstreams: { toy: { ...toy.upstreams.toy, url } } }]
  const root = family("market-signals", "The toy lane's too.", [family("ingest", "Import.", ingestCommands(all))])
  return commandLine(join(folder, store), {}, (argv: ReadonlyArray<string>) => runLine(argv, async () => root)).cli
}

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe("commands of a lane that is added by an entry in two lists", () => {
  it("ingest its files into its store", async () => {
    const cli = toyLine("files.db")
    const levels = file("levels.txt", "A 2\nB 3\n")
    const first = await cli(`ingest toy --scale 100 ${levels}`)
    assert.deepStrictEqual(first, { code: 0, stdout: "A: 200 cm\nB: 300 cm\n2 added", stderr: "" })
    const again = await cli(`ingest toy --json ${levels}`)
    assert.deepStrictEqual(again, { code: 1, stdout: '{"added":0}', stderr: "Nothing is new." })
    const none = await cli("ingest toy")
    assert.deepStrictEqual(none, { code: 2, stdout: "", stderr: "Give a file or --now." })
  })

  it.scopedLive("ingest over its clients", () =>
    Effect.gen(function* () {
      const upstream = yield* replay([
        { path: "/reading", reply: ({ query }) => json({ gauge: query.get("gauge"), cm: 250 }) },
      ])
      const { stdout } = yield* Effect.promise(() => toyLine("client.db", upstream.url)("ingest toy --now A --json"))
      assert.strictEqual(stdout, '{"added":1}')
      assert.lengthOf(upstream.requests, 1)
    }),
  )
})
