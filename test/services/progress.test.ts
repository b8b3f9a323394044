import { cpSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { advance } from "../../core/Progress.ts"
import { make, showProgress } from "../../services/progress.ts"
import { filledIn } from "../support/archives.ts"
import { commandLine } from "../support/commandLine.ts"
import { fixture } from "../support/footballStore.ts"
import { makeFolder, removeFolder } from "../support/store.ts"
import { fakeTerminal, onTerminal, screenOf } from "../support/terminal.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))
beforeAll(() => Effect.runPromise(filledIn(folder)))

describe("the line of progress", () => {
  const steps = (isPlain: boolean) => {
    const terminal = fakeTerminal(40)
    let time = 0
    const line = make(terminal.streams, isPlain, () => time)
    return { ...terminal, line, wait: (ms: number) => (time += ms) }
  }

  it("is redrawn in place ten times a second at most, cut to the terminal's width, and gone at the end", () => {
    const { line, wait, text, screen } = steps(false)
    line.tell("files", 0, 4)
    assert.deepStrictEqual(screen(), ["[........................] 0/4 files"])
    const drawn = text()
    wait(99)
    line.tell("files", 1, 4)
    assert.strictEqual(text(), drawn)
    wait(1)
    line.tell("files with a name that is too long for it", 2, 4)
    assert.deepStrictEqual(screen(), ["[############............] 2/4 files wi"])
    // The last step is shown whenever it comes.
    line.tell("files", 4, 4)
    assert.deepStrictEqual(screen(), ["[########################] 4/4 files"])
    wait(100)
    line.tell("rows", 1_234_567)
    assert.deepStrictEqual(screen(), ["1,234,567 rows"])
    line.end()
    assert.deepStrictEqual(screen(), [""])
    assert.notInclude(text(), "\n")
  })

  it("has 79 columns on a terminal that does not say how wide it is", () => {
    for (const columns of [0, undefined]) {
      const { streams, screen } = fakeTerminal(columns)
      make(streams, false, () => 0).tell("x".repeat(100), 1, 2)
      assert.strictEqual(screen()[0]!.length, 79)
    }
  })

  it("leaves the lines of others above it, on both streams, and their streams as they were", () => {
    const { line, streams, screen } = steps(false)
    const own = [streams.stdout.write, streams.stderr.write]
    line.tell("files", 1, 2)
    streams.stdout.write("one.txt is read\n")
    line.tell("files", 1, 2)
    streams.stderr.write("a warning\n")
    assert.deepStrictEqual(screen(), ["one.txt is read", "a warning", ""])
    line.tell("files", 1, 2)
    assert.deepStrictEqual(screen(), ["one.txt is read", "a warning", "[############............] 1/2 files"])
    line.end()
    assert.deepStrictEqual(screen(), ["one.txt is read", "a warning", ""])
    assert.deepStrictEqual([streams.stdout.write, streams.stderr.write], own)
  })

  it("has no control sequences for people who switch them off", () => {
    const { line, wait, text, screen, streams } = steps(true)
    line.tell("a long name", 1, 2)
    wait(100)
    line.tell("short", 1, 2)
    assert.deepStrictEqual(screen(), ["[############............] 1/2 short"])
    streams.stdout.write("done\n")
    assert.deepStrictEqual(screen(), ["done", ""])
    assert.notInclude(text(), "\u001b")
  })

  it("is nothing where standard error is no terminal", () => {
    const written: Array<string> = []
    const write = (text: string) => written.push(text) > 0
    const line = make({ stdout: { isTTY: true, write }, stderr: { write } }, false, () => 0)
    line.tell("files", 1, 2)
    line.end()
    assert.deepStrictEqual(written, [])
  })

  it("goes when the work fails", async () => {
    const { text } = await onTerminal(() =>
      Effect.runPromise(showProgress(Effect.zipRight(advance("rows", 1, 2), Effect.fail("no"))).pipe(Effect.ignore)),
    )
    assert.match(text, /1\/2 rows/)
    assert.deepStrictEqual(screenOf(text), [""])
  })
})

describe("long verbs on a terminal", () => {
  const store = join(folder, "a.db")
  const environment = { RECORD_KEY_FILE: join(folder, "record-key"), SECRETS_KEY_FILE: join(folder, "secrets-key") }
  const ran = async (line: string, file = store) => {
    const { value, text } = await onTerminal(() => commandLine(file, environment).cli(line))
    assert.strictEqual(value.code, 0, value.stderr)
    // The line is gone when the verb has ended.
    assert.deepStrictEqual(
      screenOf(text).filter((each) => each !== ""),
      [],
      line,
    )
    return text
  }

  it.each([
    ["store check", /leaves of the record/],
    [`backup --out ${join(folder, "kept")}`, /copy .*a\.db/],
    [`store export --to ${join(folder, "a.gz")}`, /\[#*\.*\] \d+\/\d+ export \w+/],
    ["store compact", /\[\.{24}\] 0\/3 retention/],
  ])("%s says how far it is", async (line, says) => {
    assert.match(await ran(line), says)
  })

  it("restore says how far it is", async () => {
    assert.match(
      await ran(`restore ${join(folder, "kept")}`, join(folder, "restored.db")),
      /compare .* with its digest/,
    )
  })

  it("ingest says how far it is", async () => {
    const games = fixture("games.csv")
    assert.match(
      await ran(`ingest football --games ${games}`, join(folder, "fresh.db")),
      /\[\.{24}\] 0\/1 \S*games\.csv/,
    )
    const reports = join(folder, "reports")
    cpSync(new URL("../fixtures/weather", import.meta.url), reports, { recursive: true })
    assert.match(await ran(`ingest weather ${reports}`, join(folder, "fresh.db")), /\[[.#]{24}\] \d+\/\d+ \S/)
  })

  it("prints nothing of it into a pipe", async () => {
    const { code, stdout, stderr } = await commandLine(store, environment).cli("store check --json")
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.isObject(JSON.parse(stdout))
  })
})
