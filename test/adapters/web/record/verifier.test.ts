import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { PCGRandom } from "effect/Utils"
import { reportText, split, verify } from "../../../../adapters/web/record/verifier.mjs"
import type { Signed } from "../../../../core/record/log/checkpoint.ts"
import { afterEveryClose, lines } from "../../../../core/record/log/exported.ts"
import type { Leaf } from "../../../../core/record/log/leaf.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { inMemory, leaf, leaves } from "../../../support/record.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"

const noon = Date.parse("2026-07-08T12:00:00Z")
const minute = 60_000

interface Made {
  readonly text: string
  /** The same log as it was read at each of several times. */
  readonly texts: ReadonlyArray<string>
  readonly checkpoints: ReadonlyArray<Signed>
}

/** The export of a log that grew in steps, with a checkpoint a minute after each. */
const made = (
  steps: ReadonlyArray<ReadonlyArray<Leaf>>,
  more: ReadonlyArray<Leaf> = [],
  times: ReadonlyArray<number> = [afterEveryClose],
): Promise<Made> =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    const checkpoints: Array<Signed> = []
    for (const [at, step] of steps.entries()) {
      yield* TestClock.setTime(noon + at * minute)
      yield* log.append(step)
      checkpoints.push((yield* signCheckpoint)!)
    }
    yield* log.append(more)
    const size = yield* log.size
    const texts = yield* Effect.forEach(times, (now) =>
      Effect.gen(function* () {
        const text: Array<string> = []
        for (let from = 0; from === 0 || from < size; from += 1_000)
          text.push(...(yield* lines(from, from + 1_000, now)))
        return text.map((line) => `${line}\n`).join("")
      }),
    )
    return { text: texts[0]!, texts, checkpoints }
  }).pipe(Effect.provide([Layer.fresh(inMemory), TestContext.TestContext]), Effect.runPromise)

const check = (text: string | Uint8Array, options: Parameters<typeof verify>[1] = {}) => {
  const bytes = Buffer.from(text as string)
  return verify(
    split(
      (async function* () {
        // In chunks of any size.
        for (let at = 0; at < bytes.length; at += 1_013) yield bytes.subarray(at, at + 1_013)
      })(),
    ),
    options,
  )
}

describe("the verifier over a small export", () => {
  let good: Made
  let other: Made
  beforeAll(async () => {
    good = await made([[], leaves(0, 3), leaves(3, 4), leaves(4, 11)], leaves(11, 13))
    other = await made([leaves(0, 2), [leaf(2, { at: 1 })]])
  })

  it("finds it intact", async () => {
    const { keys, ...report } = await check(good.text)
    assert.deepStrictEqual(report, {
      intact: true,
      leaves: 13,
      checkpoints: 4,
      covered: 11,
      problems: [],
      problem_count: 0,
      unanchored: [],
      sealed: 0,
      overdue: [],
    })
    assert.deepStrictEqual(keys, [good.checkpoints[0]!.key])
    assert.isTrue((await check("")).intact)
  })

  it("finds and names every byte that is changed", { timeout: 60_000 }, async () => {
    const { text } = await made([leaves(0, 2)], [leaf(2)])
    const bytes = Buffer.from(text)
    /** The leaf of each byte's line; null in a checkpoint's. */
    const places: Array<number | null> = []
    for (const line of text.slice(0, -1).split("\n")) {
      const { position = null } = JSON.parse(line) as { position?: number }
      places.push(...Array.from({ length: Buffer.byteLength(line) + 1 }, () => position))
    }
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 32]) {
        const changed = Buffer.from(bytes)
        changed[at]! ^= bit
        // The final line break belongs to no line.
        if (at === bytes.length - 1 && changed[at] !== 10) continue
        const { intact, problems } = await check(changed)
        assert.isFalse(intact, `byte ${at}, bit ${bit}`)
        const place = places[at]!
        if (place !== null && bytes[at] !== 10) {
          assert.strictEqual(problems[0]!.position, place, `byte ${at}, bit ${bit}: ${problems[0]!.what}`)
        }
      }
    }
  })

  const edited = (edit: (rows: Array<string>) => void): string => {
    const rows = good.text.trimEnd().split("\n")
    edit(rows)
    return rows.join("\n")
  }
  /** Line of the leaf at a position. */
  const at = (rows: ReadonlyArray<string>, position: number) =>
    rows.findIndex((row) => row.startsWith(`{"position":${position},`))

  it.each<[what: string, text: () => string, options: () => Parameters<typeof verify>[1], problem: RegExp]>([
    [
      "a leaf that is gone",
      () => edited((rows) => rows.splice(at(rows, 5), 1)),
      () => ({}),
      /^Expected leaf 5, found leaf 6/,
    ],
    [
      "a leaf twice",
      () => edited((rows) => rows.splice(at(rows, 5), 0, rows[at(rows, 5)]!)),
      () => ({}),
      /^Expected leaf 6, found leaf 5/,
    ],
    [
      "two leaves that changed places",
      () => edited((rows) => rows.splice(at(rows, 5), 2, rows[at(rows, 6)]!, rows[at(rows, 5)]!)),
      () => ({}),
      /^Expected leaf 5, found leaf 6/,
    ],
    [
      "a leaf that was written again with its hash",
      () => {
        const forged = other.text.split("\n").find((row) => row.startsWith('{"position":2,'))!
        return edited((rows) => rows.splice(at(rows, 2), 1, forged))
      },
      () => ({}),
      /^The checkpoint of size 3 is invalid: its root does not match the leaves: one of leaves 0 to 2 /,
    ],
    [
      "a checkpoint of another log",
      () => edited((rows) => rows.splice(at(rows, 2) + 1, 1, other.text.trimEnd().split("\n").at(-1)!)),
      () => ({}),
      /^The checkpoint of size 3 is invalid: its root does not match the leaves/,
    ],
    [
      "a checkpoint in the wrong place",
      () => edited((rows) => rows.push(...rows.splice(at(rows, 3) + 1, 1))),
      () => ({}),
      /^The checkpoint of size 4 is invalid: it comes after 13 leaves/,
    ],
    [
      "a time that is not the signed one",
      () => good.text.replace(/"signed_at":"2026-07-08T12:01/, '"signed_at":"2026-07-08T12:00'),
      () => ({}),
      /^The checkpoint of size 3 is invalid: size or time of its line differ/,
    ],
    [
      "a key that you do not know",
      () => good.text,
      () => ({ keys: [other.checkpoints[0]!.key] }),
      /^The checkpoint of size 0 is invalid: it and others are signed by .*, which is not one of your keys/,
    ],
    [
      "a history that is not the one you saw",
      () => good.text,
      () => ({ checkpoints: [other.checkpoints[1]!.note] }),
      /^The first 3 leaves do not match the checkpoint that you saved/,
    ],
    [
      "a log that is shorter than what you saw",
      () => good.text.split("\n").slice(0, 5).join("\n"),
      () => ({ checkpoints: [good.checkpoints[3]!.note] }),
      /^The checkpoint that you saved has size 11; the export has 3 leaves/,
    ],
    [
      "a line that is no JSON",
      () => edited((rows) => rows.splice(at(rows, 7), 0, "hello")),
      () => ({}),
      /^Leaf 7 \(null\) was changed: its line cannot be parsed/,
    ],
    [
      "a checkpoint that is no JSON",
      () => good.text.replace('"note":"', '"note":'),
      () => ({}),
      /^A checkpoint cannot be parsed/,
    ],
  ])("names %s", async (_, text, options, problem) => {
    const { intact, problems } = await check(text(), options())
    assert.isFalse(intact)
    assert.match(problems[0]!.what, problem)
  })

  it("checks the log against saved keys and checkpoints", async () => {
    const kept = { keys: [good.checkpoints[0]!.key], checkpoints: good.checkpoints.map(({ note }) => note) }
    assert.isTrue((await check(good.text, kept)).intact)
  })

  it("lists predictions that no checkpoint from before their close covers", async () => {
    const prediction = (n: number, close_time: unknown, kind: Leaf["kind"] = "prediction") =>
      leaf(n, { kind, body: { close_time } })
    // A checkpoint of 12:01 covers leaves 0 to 5, none covers leaf 6.
    const { text } = await made(
      [
        [],
        [
          prediction(0, noon + minute + 1),
          prediction(1, new Date(noon + minute).toISOString()),
          prediction(2, noon, "capture"),
          prediction(3, noon, "settlement"),
          prediction(4, "2026-07-08T12:30:00Z"),
          prediction(5, "at noon"),
        ],
      ],
      [prediction(6, noon + 60 * minute, "opinion")],
    )
    const report = await check(text)
    assert.isTrue(report.intact)
    assert.match(reportText(report), /^4 forecasts were not signed before their market closed/m)
    const signed_at = "2026-07-08T12:01:00.000Z"
    assert.deepStrictEqual(report.unanchored, [
      { position: 1, id: leaf(1).id, close_time: signed_at, signed_at },
      { position: 2, id: leaf(2).id, close_time: "2026-07-08T12:00:00.000Z", signed_at },
      { position: 5, id: leaf(5).id, close_time: "unknown", signed_at },
      { position: 6, id: leaf(6).id, close_time: "2026-07-08T13:00:00.000Z", signed_at: null },
    ])
  })
})

describe("the verifier over sealed leaves", () => {
  const close = noon + 60 * minute
  const sealed = (n: number, until: number, p: number) =>
    leaf(n, { body: { close_time: until, p }, seal: { until, salt: "5a".repeat(16) } })
  const steps = (p: number) => [[leaf(0, { body: {} }), sealed(1, close, p)], [sealed(2, close + minute, 0.5)]]
  const overdue = [
    { position: 1, id: leaf(1).id, sealed_until: "2026-07-08T13:00:00.000Z" },
    { position: 2, id: leaf(2).id, sealed_until: "2026-07-08T13:01:00.000Z" },
  ]
  /** The log before the close, between the two and after it, and a different log. */
  let texts: ReadonlyArray<string>
  let kept: Exclude<Parameters<typeof verify>[1], undefined>
  let other: Made
  beforeAll(async () => {
    const good = await made(steps(0.25), [], [noon, close, afterEveryClose])
    texts = good.texts
    kept = { keys: [good.checkpoints[0]!.key], checkpoints: good.checkpoints.map(({ note }) => note) }
    other = await made(steps(0.75))
  })

  it("takes their hashes for them, counts them, and lists those that should have been opened", async () => {
    for (const [now, late] of [
      [noon, 0],
      [close - 1, 0],
      [close, 1],
      [close + minute, 2],
    ] as const) {
      const report = await check(texts[0]!, { ...kept, now })
      assert.deepInclude(report, { intact: true, leaves: 3, covered: 3, unanchored: [], sealed: 2 })
      assert.deepStrictEqual(report.overdue, overdue.slice(0, late))
      const words = reportText(report)
      assert.match(words, /\n2 leaves are sealed until their close; verify them again after it\n/)
      assert.strictEqual(words.includes(`overdue: leaf 1 (${leaf(1).id}) was sealed until 2026-07-08T13:00`), late > 0)
    }
    assert.notInclude(texts[0]!, "0.25")
  })

  it("verifies that opened leaves are the sealed ones, under saved checkpoints", async () => {
    for (const [at, left] of [1, 0].entries()) {
      const report = await check(texts[at + 1]!, { ...kept, now: close })
      assert.deepInclude(report, { intact: true, covered: 3, unanchored: [], sealed: left, overdue: [] })
      assert.include(texts[at + 1]!, "0.25")
    }
  })

  const row = (text: string, position: number) =>
    text.split("\n").find((each) => each.startsWith(`{"position":${position},`))!
  const replaced = (text: string, by: (line: string) => string) => text.replace(row(text, 1), by)

  it.each<[what: string, text: () => string, problem: RegExp]>([
    [
      "a hash that was changed",
      () => replaced(texts[0]!, (line) => line.replace(/"hash":"[0-9a-f]{4}/, '"hash":"0000')),
      /^The checkpoint of size 2 is invalid: its root does not match the leaves: one of leaves 0 to 1 /,
    ],
    ["a leaf that is gone", () => replaced(texts[0]!, () => ""), /^Leaf 1 \(null\) was changed|^Expected leaf 1,/],
    [
      "a time that is none",
      () => replaced(texts[0]!, (line) => line.replace(/"sealed_until":"[^"]*"/, '"sealed_until":"soon"')),
      /^Leaf 1 \(leaf_000001\) is sealed until soon, which is not a time/,
    ],
    [
      "a leaf that is neither open nor sealed",
      () => replaced(texts[0]!, (line) => line.replace(/,"sealed_until":"[^"]*"/, "")),
      /^Leaf 1 \(leaf_000001\) was changed: its text does not match its hash/,
    ],
    [
      "a text that is not what was sealed",
      () => replaced(texts[2]!, (line) => line.replace("0.25", "0.75")),
      /^Leaf 1 \(leaf_000001\) was changed: its text does not match its hash/,
    ],
    [
      "a text that is not what was sealed, with a hash of its own",
      () => replaced(texts[2]!, () => row(other.text, 1)),
      /^The checkpoint of size 2 is invalid: its root does not match the leaves/,
    ],
  ])("names %s", async (_, text, problem) => {
    const { intact, problems } = await check(text(), { now: noon })
    assert.isFalse(intact)
    assert.match(problems[0]!.what, problem)
  })

  it("detects a rewritten and re-signed log by a saved checkpoint", async () => {
    assert.isTrue((await check(other.text)).intact)
    const { problems } = await check(other.text, { checkpoints: kept.checkpoints! })
    assert.match(problems[0]!.what, /^The first 2 leaves do not match the checkpoint that you saved/)
  })
})

describe("the verifier as a program of its own", { timeout: 60_000 }, () => {
  const count = 100_000
  const folder = makeFolder()
  const file = join(folder, "record.ndjson")
  // Somewhere without this repository's packages.
  const program = join(folder, "elsewhere", "verifier.mjs")
  let bytes: Buffer
  beforeAll(async () => {
    mkdirSync(join(folder, "elsewhere"))
    writeFileSync(
      program,
      readFileSync(fileURLToPath(new URL("../../../../adapters/web/record/verifier.mjs", import.meta.url))),
    )
    const steps = Array.from({ length: 10 }, (_, n) => leaves((n * count) / 10, ((n + 1) * count) / 10))
    bytes = Buffer.from((await made(steps)).text)
    writeFileSync(file, bytes)
  }, 60_000)
  afterAll(() => removeFolder(folder))

  const run = (...args: ReadonlyArray<string>) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" })
    return { status, stdout, stderr }
  }

  it(`finds ${count} leaves intact`, () => {
    const { status, stdout, stderr } = run(file)
    assert.deepStrictEqual([status, stderr], [0, ""])
    assert.match(
      stdout,
      /^100000 leaves, 10 checkpoints; the newest valid one covers 100000 leaves\nsigned by \S+\nIntact\.\n$/,
    )
  })

  it("finds the one byte that was changed, and names its row", () => {
    const seed = Number(process.env["SEED"] ?? Date.now() % 2 ** 32)
    const random = new PCGRandom(seed)
    for (let n = 0; n < 3; n++) {
      const position = random.integer(count)
      const line = bytes.indexOf(`{"position":${position},`)
      const at = bytes.indexOf('"leaf":"', line) + 8 + random.integer(100)
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1 << random.integer(8)
      writeFileSync(join(folder, "changed.ndjson"), changed)
      const { status, stdout } = run(join(folder, "changed.ndjson"), "--json")
      assert.strictEqual(status, 1, `SEED=${seed}, byte ${at}`)
      const report = JSON.parse(stdout)
      assert.deepInclude(report.problems[0], { position, id: leaf(position).id }, `SEED=${seed}, byte ${at}`)
      // Only this row differs from the signed log.
      assert.deepStrictEqual([report.problem_count, report.covered], [1, count], `SEED=${seed}, byte ${at}`)
    }
  })

  it("says what it needs", () => {
    for (const [args, message] of [
      [[], /Give one export file, or --url/],
      [[file, "--url", "http://localhost"], /Give one export file, or --url/],
      [["--key"], /--key.* argument missing/],
      [["--what", "is"], /Unknown option .--what/],
      [[join(folder, "missing")], /ENOENT/],
      [[file, "--checkpoint", file], /not a signed note|no origin|signature line/],
    ] as const) {
      const { status, stderr } = run(...args)
      assert.strictEqual(status, 2, stderr)
      assert.match(stderr, message)
      assert.match(stderr, /^node verifier\.mjs FILE \| --url .*--key.*--checkpoint.*--json/m)
    }
  })
})
