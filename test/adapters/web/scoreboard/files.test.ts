import { readdirSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerStore } from "../../../../adapters/store/record/Settled.ts"
import * as Files from "../../../../adapters/web/scoreboard/files.ts"
import { compareRows, pageAfter, type Scoreboard, type SettledRows } from "../../../../core/lanes/markets/ports.ts"
import { unpublished } from "../../../../core/record/scoreboard/anchorWeight.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"
import { settledRows } from "../../../support/settledRows.ts"
import { folder } from "../../../support/store.ts"

const all = settledRows(1_234, 4)
  .map((row) => ({ ...row, earlier: [] }))
  .sort(compareRows)

/** Rows that watch how they are read. */
const watched = (listed: ReadonlyArray<(typeof all)[number]> = all) => {
  const seen = { reads: 0, widest: 0, passes: 0, withoutTurn: 0 }
  let turned = true
  const rows: typeof SettledRows.Service = {
    freshness: "live",
    after: (domain, position, limit) =>
      Effect.sync(() => {
        seen.reads++
        seen.widest = Math.max(seen.widest, limit)
        if (domain === "weather" && position === undefined) seen.passes++
        if (!turned) seen.withoutTurn++
        turned = false
        // What a socket that became readable meanwhile would get.
        setImmediate(() => {
          turned = true
        })
        return pageAfter(
          listed.filter((row) => row.domain === domain),
          position,
          limit,
        )
      }),
  }
  const scoreboard: typeof Scoreboard.Service & { board: Board.Board } = {
    freshness: "live",
    board: Board.empty(),
    get current() {
      return Effect.sync(() => ({ board: scoreboard.board }))
    },
    latest: Effect.succeed(undefined),
    weights: Effect.succeed(unpublished),
  }
  return { seen, rows, scoreboard }
}

const textOf = async ({ open }: Files.Lying): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of open()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

describe("the scoreboard's files", () => {
  it.scopedLive("are written in slices with a turn of the event loop between, once for all who ask", () =>
    Effect.gen(function* () {
      const { seen, rows, scoreboard } = watched()
      const files = yield* Files.make(rows, scoreboard, join(yield* folder, "files"))
      const found = yield* Effect.all(
        Array.from({ length: 20 }, () => files("ndjson")),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(seen.passes, 1)
      assert.isAtLeast(seen.reads, all.length / Files.slice)
      assert.strictEqual(seen.widest, Files.slice)
      assert.strictEqual(seen.withoutTurn, 0)
      assert.strictEqual(new Set(found.map(({ etag }) => etag)).size, 1)
      const { plain, gzip } = found[0]!
      const text = yield* Effect.promise(() => textOf(plain))
      assert.strictEqual(text.length, plain.bytes)
      const packed = yield* Effect.promise(() => textOf(gzip))
      assert.strictEqual(packed.length, gzip.bytes)
      assert.isBelow(gzip.bytes, plain.bytes / 4)
      assert.deepStrictEqual(gunzipSync(packed), text)
      const lines = text.toString().trim().split("\n")
      assert.strictEqual(lines.length, all.filter((row) => Board.headToHead(row) !== undefined).length)
    }),
  )

  it.scopedLive("a newer version takes the place of an older one, which serves meanwhile and goes", () =>
    Effect.gen(function* () {
      const listed = [...all]
      const { seen, rows, scoreboard } = watched(listed)
      const place = join(yield* folder, "files")
      const clock = clockAt(0)
      const files = yield* Files.make(rows, scoreboard, place)
      const get = Effect.withClock(files("csv"), clock)
      const first = yield* get
      const names = readdirSync(place)
      scoreboard.board = Board.empty()
      listed.splice(0, 100)
      assert.strictEqual((yield* get).etag, first.etag)
      assert.strictEqual(seen.passes, 1)
      clock.set(Files.youngMs)
      assert.strictEqual((yield* get).etag, first.etag)
      const soon = Effect.delay(get, "5 millis")
      yield* Effect.repeat(soon, { until: ({ etag }) => etag !== first.etag })
      assert.strictEqual(seen.passes, 2)
      const left = Effect.delay(
        Effect.sync(() => readdirSync(place)),
        "5 millis",
      )
      const newer = yield* Effect.repeat(left, { until: (there) => there.length === 2 })
      assert.isFalse(names.some((name) => newer.includes(name)))
    }),
  )

  it.scopedLive("a folder that cannot be written is a failure, and none to the next who asks once it can be", () =>
    Effect.gen(function* () {
      const { rows, scoreboard } = watched()
      const files = yield* Files.make(rows, scoreboard, "/dev/null/files")
      assert.strictEqual((yield* Effect.flip(files("csv"))).code, "storage_unavailable")
      assert.strictEqual((yield* Effect.flip(files("csv"))).code, "storage_unavailable")
    }),
  )
})

describe("over HTTP", () => {
  let service: Running
  beforeAll(async () => {
    service = await start({ markets: "live" })
    const rows = settledRows(400, 9)
    await service.run(Effect.flatMap(SettledStore, (store) => store.append(rows)).pipe(Effect.provide(layerStore)))
  })
  afterAll(() => service.stop())

  const get = (headers: Readonly<Record<string, string>>, method = "GET") =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
      request(`${service.url}/scoreboard/settled.json`, { method, headers }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk) => chunks.push(chunk))
        response.on("end", () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        )
      })
        .on("error", reject)
        .end()
    })

  it("have a length, an entity tag and a 304; packed and plain say the same", async () => {
    const plain = await get({})
    const packed = await get({ "accept-encoding": "gzip" })
    const head = await get({ "accept-encoding": "gzip" }, "HEAD")
    assert.deepStrictEqual([plain.status, plain.headers["content-length"]], [200, String(plain.body.length)])
    assert.deepStrictEqual([packed.status, packed.headers["content-encoding"]], [200, "gzip"])
    assert.deepStrictEqual(gunzipSync(packed.body), plain.body)
    assert.deepStrictEqual([head.headers["content-length"], head.body.length], [String(packed.body.length), 0])
    assert.strictEqual(plain.headers["vary"], "Accept-Encoding")
    const etag = String(plain.headers["etag"])
    const known = await get({ "if-none-match": etag })
    assert.deepStrictEqual([known.status, known.headers["etag"], known.body.length], [304, etag, 0])
    // A bucket of their own: the page's and the calls' is untouched.
    assert.deepStrictEqual(plain.headers["x-ratelimit-limit"], "12")
    const page = await fetch(`${service.url}/scoreboard`)
    assert.strictEqual(page.headers.get("x-ratelimit-limit"), "60")
  })
})
