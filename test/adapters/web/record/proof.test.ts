import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import * as signer from "../../../../adapters/runtime/node/signer.ts"
import { emptySite, Site } from "../../../../adapters/server/http/Site.ts"
import { recordPage } from "../../../../adapters/web/record/proof.ts"
import { fetched, split, verify } from "../../../../adapters/web/record/verifier.mjs"
import { Captures } from "../../../../core/record/captures/Captures.ts"
import { toText } from "../../../../core/record/log/leaf.ts"
import * as merkle from "../../../../core/record/log/merkle.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { clockAt } from "../../../support/clock.ts"
import { inMemory, leaf, leaves, origin } from "../../../support/record.ts"
import { type Running, start } from "../../../support/running.ts"

const noon = Date.parse("2026-07-08T12:00:00Z")
const total = 2_005
/** Log sizes at which checkpoints are signed; the last leaves have none. */
const signedAt = [0, 4, 7, 2_002]

/** A service per test, since an address is limited to 60 calls a minute. */
const begin = async (): Promise<Running> => {
  const begun = await start()
  const grown = Effect.gen(function* () {
    const log = yield* RecordLog
    for (const [at, size] of signedAt.entries()) {
      yield* TestClock.setTime(noon + at * 60_000)
      yield* log.append(leaves(0, size))
      yield* signCheckpoint
    }
    yield* log.append(leaves(0, total))
  })
  await begun.run(Effect.provide(grown, Layer.merge(signer.layerMemory(origin), TestContext.TestContext)))
  return begun
}

let service: Running
beforeAll(async () => {
  service = await begin()
})
afterAll(() => service.stop())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(service.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const json = async (path: string) => {
  const { status, text, headers } = await get(path, { accept: "application/json" })
  assert.strictEqual(status, 200, text)
  assert.match(headers.get("content-type")!, /^application\/json/)
  return JSON.parse(text)
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
const bytes = (hex: string): Uint8Array => Buffer.from(hex, "hex")
const hashOf = (n: number) => Buffer.from(merkle.leafHash(sha256, Buffer.from(toText(leaf(n))))).toString("hex")

describe("/record", () => {
  it("shows the leaf that was asked for, and says why there is none", async () => {
    const [plain, blank, leaf, none] = await Promise.all(
      ["/record", "/record?leaf=%20", "/record?leaf=5", "/record?leaf=9999"].map((path) => get(path)),
    )
    for (const { status, headers } of [plain!, blank!, leaf!, none!]) {
      assert.strictEqual(status, 200)
      assert.match(headers.get("content-type")!, /^text\/html/)
    }
    for (const { text } of [plain!, blank!]) {
      assert.notInclude(text, "<h2>Entry")
      assert.notInclude(text, 'id="problem"')
    }
    assert.include(leaf!.text, "<h2>Entry 5</h2>")
    assert.notInclude(leaf!.text, 'id="problem"')
    assert.include(none!.text, 'id="problem"')
  })
})

it.effect(
  "the page reads the log once for a checkpoint, and again where it was asked something or there is a newer one",
  () =>
    Effect.gen(function* () {
      const log = yield* RecordLog
      let reads = 0
      const range: typeof log.range = (from, to) => {
        reads++
        return log.range(from, to)
      }
      const ask = recordPage("https://a.example")
      const read = (target: string) =>
        ask(target, false).pipe(
          Effect.provideService(RecordLog, { ...log, range }),
          Effect.provideService(Site, emptySite),
        )
      yield* TestClock.setTime(noon)
      yield* log.append(leaves(0, 4))
      yield* signCheckpoint
      const first = yield* read("/record")
      const once = reads
      assert.isAbove(once, 0)
      assert.strictEqual(yield* read("/record"), first)
      assert.strictEqual(reads, once)
      yield* read("/record?show=results")
      assert.isAbove(reads, once)
      yield* TestClock.adjust(1_000)
      yield* log.append(leaves(0, 7))
      yield* signCheckpoint
      assert.include(yield* read("/record"), "<span>Entries</span> <strong>7</strong>")
      const newer = reads
      yield* TestClock.adjust("1 minute")
      yield* read("/record")
      assert.isAbove(reads, newer, "a leaf may have been opened")
    }).pipe(Effect.provideService(Captures, Captures.inMemory([])), Effect.provide(inMemory)),
)

describe("/v1/proof/checkpoint", () => {
  it("is the newest signed note, or that of a size, as text or in parts", async () => {
    const newest = await get("/v1/proof/checkpoint")
    assert.strictEqual(newest.status, 200)
    assert.strictEqual(newest.headers.get("content-type"), "text/plain; charset=utf-8")
    assert.match(newest.text, new RegExp(`^${origin}\n2002\n\\S{44}\n\n— ${origin} \\S+\n— ${origin} \\S+\n$`, "u"))
    const parts = await json("/v1/proof/checkpoint?size=4")
    assert.deepStrictEqual(
      { ...parts, root: typeof parts.root, key: typeof parts.key, note: typeof parts.note },
      { origin, size: 4, root: "string", signed_at: "2026-07-08T12:01:00.000Z", key: "string", note: "string" },
    )
    assert.strictEqual((await get("/v1/proof/checkpoint?size=4")).text, parts.note)
    assert.include(parts.note, `\n4\n${Buffer.from(parts.root, "hex").toString("base64")}\n`)
    assert.deepStrictEqual(Object.keys(await json("/v1/proof/checkpoint?fields=size,root")), ["size", "root"])
  })

  it("is answered once to who has it", async () => {
    const { headers } = await get("/v1/proof/checkpoint")
    assert.strictEqual(headers.get("cache-control"), "public, max-age=30")
    const again = await get("/v1/proof/checkpoint", { "if-none-match": headers.get("etag")! })
    assert.deepStrictEqual([again.status, again.text], [304, ""])
  })
})

describe("/v1/proof/inclusion", () => {
  it("is kept by no cache where a key asks, and by none for another", async () => {
    const cached = async (headers: Record<string, string>) => {
      const { headers: sent, status } = await get("/v1/proof/inclusion?leaf=5", headers)
      return [status, sent.get("cache-control"), sent.get("vary")]
    }
    const [status, , vary] = await cached({})
    assert.deepStrictEqual([status, vary], [200, "Authorization"])
    assert.deepStrictEqual(await cached({ authorization: `Bearer ${service.account.live.token}` }), [
      ...[200, "private, no-store", "Authorization"],
    ])
  })

  it("proves a leaf by position, hash or id against the newest checkpoint or any size", async () => {
    const { root } = await json("/v1/proof/checkpoint")
    for (const [query, n, size] of [
      ["leaf=5", 5, 2_002],
      [`leaf=${hashOf(2_001)}`, 2_001, 2_002],
      [`leaf=${hashOf(9).toUpperCase()}`, 9, 2_002],
      [`leaf=${leaf(0).id}&size=1`, 0, 1],
      ["leaf=2004&size=2005", 2_004, 2_005],
    ] as const) {
      const found = await json(`/v1/proof/inclusion?${query}`)
      assert.deepStrictEqual(found.leaf, { position: n, id: leaf(n).id, hash: hashOf(n), text: toText(leaf(n)) })
      assert.strictEqual(found.size, size)
      if (size === 2_002) assert.strictEqual(found.root, root)
      const proof = found.proof.map(bytes)
      assert.isTrue(merkle.verifyInclusion(sha256, bytes(hashOf(n)), n, size, proof, bytes(found.root)), query)
    }
  })
})

describe("/v1/proof/consistency", () => {
  it("proves that the log has only grown", async () => {
    for (const [from, to] of [
      [0, 4],
      [4, 7],
      [7, undefined],
      [2_002, 2_002],
      [1_000, 2_005],
    ] as const) {
      const found = await json(`/v1/proof/consistency?from=${from}${to === undefined ? "" : `&to=${to}`}`)
      assert.deepStrictEqual([found.from, found.to], [from, to ?? 2_002])
      const [before, after, ...proof] = [found.from_root, found.to_root, ...found.proof].map(bytes)
      assert.isTrue(merkle.verifyConsistency(sha256, from, before!, found.to, after!, proof), `${from} ${to}`)
      if (signedAt.includes(from)) {
        assert.strictEqual((await json(`/v1/proof/checkpoint?size=${from}`)).root, found.from_root)
      }
    }
  })
})

describe("/v1/proof/leaves", () => {
  it("is the export in pages, which the verifier reads over HTTP", async () => {
    const page = await get("/v1/proof/leaves?from=2&to=6")
    assert.strictEqual(page.headers.get("content-type"), "application/x-ndjson; charset=utf-8")
    const rows = page.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      rows.map(({ position, checkpoint }) => position ?? `checkpoint ${checkpoint}`),
      [2, 3, "checkpoint 4", 4, 5],
    )
    assert.deepStrictEqual(rows[0], { position: 2, id: leaf(2).id, hash: hashOf(2), leaf: toText(leaf(2)) })
    assert.include(page.headers.get("link"), '?from=6>; rel="next"')
    for (const last of ["from=2000", "from=2004&to=2005", "from=5000"]) {
      assert.isNull((await get(`/v1/proof/leaves?${last}`)).headers.get("link"), last)
    }

    const { intact, leaves: count, checkpoints, covered } = await verify(split(fetched(`${service.url}/`)))
    assert.deepStrictEqual([intact, count, checkpoints, covered], [true, total, 4, 2_002])
  })
})

describe("a sealed leaf", () => {
  const until = noon + 3_600_000
  const sealed = leaf(1, { seal: { until, salt: "5a".repeat(16) } })
  const text = toText(sealed)
  const hash = Buffer.from(merkle.leafHash(sha256, Buffer.from(text))).toString("hex")
  const known = { position: 1, id: sealed.id, hash }
  const closed = { sealed_until: "2026-07-08T13:00:00.000Z" }

  it("shows everybody its hash, and its text from its time on", async () => {
    const clock = clockAt(noon)
    const own = await start({}, { clock })
    try {
      const grown = Effect.gen(function* () {
        yield* (yield* RecordLog).append([leaf(0), sealed])
        yield* signCheckpoint
      })
      await own.run(Effect.provide(grown, signer.layerMemory(origin)))
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const response = await fetch(`${own.url}/v1/proof/${path}`, { headers })
        return { status: response.status, etag: response.headers.get("etag")!, text: await response.text() }
      }
      const tags: Array<string> = []
      for (const now of [noon, until - 1, until, until + 1]) {
        clock.set(now)
        const isSealed = now < until
        const [open, line, signed] = (await ask("leaves")).text.split("\n").map((row) => row && JSON.parse(row))
        assert.deepStrictEqual([open.position, open.leaf, signed.checkpoint], [0, toText(leaf(0)), 2])
        assert.deepStrictEqual(line, { ...known, ...(isSealed ? closed : { leaf: text }) })
        for (const name of ["1", sealed.id, hash]) {
          const answer = await ask(`inclusion?leaf=${name}`)
          const { leaf: found, root, proof } = JSON.parse(answer.text)
          assert.deepStrictEqual(found, { ...known, ...(isSealed ? closed : { text }) })
          assert.isTrue(merkle.verifyInclusion(sha256, bytes(found.hash), 1, 2, proof.map(bytes), bytes(root)), name)
          tags.push(answer.etag)
        }
      }
      // A cached sealed answer is not confirmed by a 304.
      for (const [tag, status] of [
        [tags[0]!, 200],
        [tags.at(-1)!, 304],
      ] as const) {
        assert.strictEqual((await ask("inclusion?leaf=1", { "if-none-match": tag })).status, status)
      }
    } finally {
      await own.stop()
    }
  })
})

describe("/v1/proof", () => {
  beforeAll(async () => {
    await service.stop()
    service = await begin()
  })

  it("gives out the program that checks it", async () => {
    const { text, headers } = await get("/v1/proof/verifier.mjs")
    assert.match(headers.get("content-type")!, /^text\/javascript/)
    assert.match(text, /^#!\/usr\/bin\/env node\n/)
    for (const [, from] of text.matchAll(/^import .* from "([^"]+)"/gm)) assert.match(from!, /^node:/)
  })

  it.each<[query: string, status: number, code: string, hint: RegExp]>([
    ["checkpoint?size=5", 404, "not_found", /^size: Omit size for the newest checkpoint, size 2002/],
    ["checkpoint?size=-1", 400, "invalid_parameter", /^size: size must be an integer from 0 to/],
    ["checkpoint?size=4&size=7", 400, "invalid_parameter", /^size: Send size once/],
    ["checkpoint?fields=roots", 400, "invalid_parameter", /^fields: .*root/],
    ["inclusion", 400, "invalid_parameter", /^leaf: Add leaf: text of 1 to 200 characters/],
    ["inclusion?leaf=", 400, "invalid_parameter", /^leaf: /],
    ["inclusion?leaf=2005", 404, "not_found", /^leaf: Use a position, a hash in hex or an id/],
    [`inclusion?leaf=${"0".repeat(64)}`, 404, "not_found", /^leaf: /],
    ["inclusion?leaf='%20OR%201=1", 404, "not_found", /^leaf: /],
    ["inclusion?leaf=req_unknown", 404, "not_found", /^leaf: Send the key that made the call/],
    ["inclusion?leaf=2003", 404, "not_found", /^size: A checkpoint is signed every minute/],
    ["inclusion?leaf=4&size=4", 400, "invalid_parameter", /^size: size must be above 4/],
    ["inclusion?leaf=4&size=2006", 400, "invalid_parameter", /^size: size must be at most 2005/],
    ["inclusion?leaf=4&size=1e3", 400, "invalid_parameter", /^size: size must be an integer/],
    ["consistency", 400, "invalid_parameter", /^from: Add from/],
    ["consistency?from=5&to=4", 400, "invalid_parameter", /^from: from must be at most to/],
    ["consistency?from=2003", 400, "invalid_parameter", /^from: from must be at most 2002/],
    ["consistency?from=1&to=2006", 400, "invalid_parameter", /^to: to must be at most 2005/],
    ["leaves?from=3&to=3", 400, "invalid_parameter", /^to: to must be above from, by at most 1000/],
    ["leaves?from=0&to=1001", 400, "invalid_parameter", /^to: /],
    ["leaves?to=0", 400, "invalid_parameter", /^to: /],
    ["leaves?from=x", 400, "invalid_parameter", /^from: /],
    ["nothing", 404, "not_found", /^path: /],
  ])("%s: %d with a hint", async (query, status, code, hint) => {
    const answer = await get(`/v1/proof/${query}`)
    const { error } = JSON.parse(answer.text)
    assert.deepStrictEqual([answer.status, error.code], [status, code], answer.text)
    assert.match(`${error.hints[0].field}: ${error.hints[0].suggestion}`, hint)
    assert.match(error.request_id, /^req_/)
  })

  it("refuses invalid requests and other methods", async () => {
    for (const [path, accept] of [
      ["checkpoint", "text/csv"],
      ["inclusion?leaf=1", "text/plain"],
      ["leaves", "application/json"],
    ] as const) {
      assert.strictEqual((await get(`/v1/proof/${path}`, { accept })).status, 406)
    }
    const posted = await fetch(`${service.url}/v1/proof/checkpoint`, { method: "POST" })
    assert.deepStrictEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
    const head = await fetch(`${service.url}/v1/proof/checkpoint`, { method: "HEAD" })
    assert.deepStrictEqual([head.status, await head.text()], [200, ""])
  })
})

describe("the limit of an address", () => {
  it("is shared by proofs and other keyless calls, and has a reset time", async () => {
    // The clock is fixed, so the address's bucket does not refill.
    const own = await start({}, { clock: clockAt(noon) })
    try {
      const ask = (path: string) => fetch(own.url + path)
      const first = await ask("/v1/proof/checkpoint")
      assert.deepStrictEqual([first.status, first.headers.get("x-ratelimit-remaining")], [404, "59"])
      assert.strictEqual(JSON.parse(await first.text()).error.hints[0].action, "wait")
      for (let n = 0; n < 30; n++) await ask("/v1/nfl/performance")
      for (let n = 0; n < 29; n++) await ask("/v1/proof/leaves")
      const refused = await ask("/v1/proof/leaves")
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "1"])
    } finally {
      await own.stop()
    }
  })
})
