import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll } from "vitest"
import * as mockCrypto from "../../../adapters/lanes/crypto/mock/tape.ts"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import * as captures from "../../../adapters/store/record/Captures.ts"
import { Feeds } from "../../../core/feeds/Feeds.ts"
import { Crypto } from "../../../core/lanes/crypto/Crypto.ts"
import { captureSignals } from "../../../core/lanes/crypto/capture.ts"
import { RecordLog } from "../../../core/record/log/RecordLog.ts"
import { commandLine } from "../../support/commandLine.ts"
import { inStore, leaf } from "../../support/record.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

const [store, key, exported] = ["store.db", "keys/record.key", "record.ndjson"].map((name) => join(folder, name))

const { cli, parsed } = commandLine(store!, { RECORD_KEY_FILE: key!, BASE_URL: "https://signals.example" })

/** One hour's captures as the job writes them, and a leaf after them. */
beforeAll(() =>
  Effect.gen(function* () {
    const slot = Math.floor((yield* Clock.currentTimeMillis) / 3_600_000) * 3_600_000
    assert.strictEqual(yield* captureSignals(slot), 2)
    yield* (yield* RecordLog).append([leaf(0)])
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        captures.layer,
        secrets.layer,
        Crypto.layer.pipe(Layer.provide([Feeds.layerNone, mockCrypto.layer])),
      ).pipe(Layer.provideMerge(inStore(store))),
    ),
    Effect.runPromise,
  ),
)

describe.sequential("the command line", { timeout: 60_000 }, () => {
  it("signs the record with a key of its own file, and exports it", async () => {
    assert.strictEqual((await parsed("jobs run record-checkpoint")).detail, "signed 3 leaves")
    assert.strictEqual(statSync(key!).mode & 0o777, 0o600)
    assert.deepStrictEqual(await cli(`record export --out ${exported}`), { code: 0, stdout: "", stderr: "" })
    const text = readFileSync(exported!, "utf8")
    assert.strictEqual((await cli("record export")).stdout, text.trimEnd())
    assert.deepStrictEqual(await parsed(`record export --out ${exported}`), { file: exported })
    assert.strictEqual(readFileSync(exported!, "utf8"), text)
    const { lines } = await parsed("record export")
    assert.deepStrictEqual(lines.map((line: unknown) => `${JSON.stringify(line)}\n`).join(""), text)
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      rows.map(({ position, checkpoint }) => position ?? `checkpoint ${checkpoint}`),
      [0, 1, 2, "checkpoint 3"],
    )
    assert.match(rows[3].note, /^signals\.example\/record\n3\n/)
    // Nothing of the key is printed.
    const secret = readFileSync(key!, "utf8").split("\n")[2]!
    assert.notInclude(text, secret)
    assert.notInclude(readFileSync(store!).toString("latin1"), secret)
  })

  it("verifies an export or the store itself, and names the changed leaf", async () => {
    const expected = { intact: true, leaves: 3, checkpoints: 1, covered: 3, problem_count: 0 }
    for (const line of ["verify", `verify ${exported}`]) assert.deepInclude(await parsed(line), expected)
    const changed = join(folder, "changed.ndjson")
    writeFileSync(changed, readFileSync(exported!, "utf8").replace('"n\\":0', '"n\\":1'))
    const { code, stdout, stderr } = await cli(`verify ${changed}`)
    assert.strictEqual(code, 1)
    assert.match(stdout, /^line 3: Leaf 2 \(leaf_000000\) was changed/m)
    assert.include(stderr, "The record is not intact.")
    assert.match((await cli(`verify ${exported} --url http://127.0.0.1:9`)).stderr, /not both/)
    const missing = await cli(`verify ${join(folder, "none")}`)
    assert.deepStrictEqual([missing.code, missing.stdout], [1, ""])
    assert.include(missing.stderr, `ENOENT: no such file or directory, open '${join(folder, "none")}'`)
  })

  it("recomputes a recorded signal to the byte, or reports why it cannot", async () => {
    for (const position of ["0", "1"]) {
      const { equal, endpoint, recorded, recomputed } = await parsed(`replay ${position}`)
      assert.deepStrictEqual([equal, endpoint], [true, "crypto_signal"])
      assert.deepStrictEqual(recomputed, recorded)
    }
    const { code, stderr } = await cli(`replay ${leaf(0).id}`)
    assert.strictEqual(code, 1)
    assert.match(stderr, /This leaf cannot be recomputed/)
  })
})
