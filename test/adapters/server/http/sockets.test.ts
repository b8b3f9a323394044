import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type Running, start } from "../../../support/running.ts"
import * as Controlled from "./controlled.ts"
import { atOnce, exchange, open, request, responses } from "./exchange.ts"

const free = "/v1/weather/stations?fields=count"
const paid = "/v1/weather/settlement?station=KNYC&fields=station.id"

let service: Running
let bearer: string
beforeAll(async () => {
  service = await start()
  bearer = `Authorization: Bearer ${service.account.live.token}`
})
afterAll(() => service.stop())

/** Charges of the calls in `run`. */
const spent = async <A>(run: () => Promise<A>): Promise<readonly [A, number]> => {
  const before = await service.balance()
  const result = await run()
  return [result, before - (await service.balance())]
}

const statuses = async (bytes: string | Buffer) => (await exchange(service.url, bytes)).map(({ status }) => status)

describe("requests sent one behind the other", () => {
  it("are answered in order, each once", async () => {
    const [found, micros] = await spent(() =>
      exchange(
        service.url,
        request(`GET ${paid}`, bearer) +
          request(`GET ${free}`) +
          request(`HEAD ${free}`, bearer).replace("HEAD", "GET") +
          request("GET /v1/jobs/1") +
          request("GET /healthz", "Connection: close"),
      ),
    )
    assert.deepStrictEqual(
      found.map(({ status }) => status),
      [200, 401, 200, 410, 200],
    )
    assert.strictEqual(JSON.parse(found[0]!.text).results.station.id, "KNYC")
    assert.strictEqual(JSON.parse(found[2]!.text).results.count, 9)
    assert.strictEqual(micros, 1_000)
  })

  it("in order also when the first takes longest", async () => {
    const second = Effect.runSync(Deferred.make<void>())
    const slow = await Controlled.start({
      paid: (n) =>
        Effect.as(n === 1 ? Deferred.await(second) : Deferred.succeed(second, undefined), {
          ...Controlled.word,
          results: { word: String(n) },
        }),
    })
    const authorization = `Authorization: ${slow.authorization}`
    const found = await exchange(
      slow.url,
      request("GET /v1/controlled/paid?n=1", authorization) +
        request("GET /v1/controlled/paid?n=2", authorization, "Connection: close"),
    )
    assert.deepStrictEqual(
      found.map(({ text }) => JSON.parse(text).results.word),
      ["1", "2"],
    )
    assert.strictEqual(await slow.balance(), 8_000)
    await slow.stop()
  })

  it("garbage behind a call is answered after it, and the call is charged once", async () => {
    const entered = Effect.runSync(Deferred.make<void>())
    const release = Effect.runSync(Deferred.make<void>())
    const slow = await Controlled.start({
      paid: () =>
        Deferred.succeed(entered, undefined).pipe(Effect.zipRight(Deferred.await(release)), Effect.as(Controlled.word)),
    })
    const { socket, received } = open(slow.url)
    socket.write(`${request("GET /v1/controlled/paid", `Authorization: ${slow.authorization}`)}garbage\r\n\r\n`)
    await Effect.runPromise(Deferred.await(entered))
    await Effect.runPromise(Deferred.succeed(release, undefined))
    const found = responses(await received)
    assert.deepStrictEqual(
      found.map(({ status }) => status),
      [200, 400],
    )
    assert.strictEqual(await slow.balance(), 9_000)
    await slow.stop()
  })

  it("a body that nothing asks for is read before its call begins: no answer is lost with what is unread", async () => {
    const alone = await Controlled.start({ paid: () => Effect.succeed(Controlled.word) })
    const size = 60_000
    const head = request(
      "GET /v1/controlled/paid",
      `Authorization: ${alone.authorization}`,
      `Content-Length: ${size}`,
      "Connection: close",
    )
    const part = "x".repeat(size / 2)
    const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
    const { socket, received } = open(alone.url)
    socket.write(head + part)
    await pause()
    assert.strictEqual(socket.bytesRead, 0)
    assert.strictEqual(await alone.balance(), 10_000)
    socket.write(part)
    assert.deepStrictEqual(
      responses(await received).map(({ status }) => status),
      [200],
    )
    assert.strictEqual(await alone.balance(), 9_000)
    const gone = open(alone.url)
    gone.socket.write(head + part)
    await pause()
    gone.socket.destroy()
    await pause()
    assert.strictEqual(await alone.balance(), 9_000)
    await alone.stop()
  })

  it("a needless body does not end its call", async () => {
    const slow = await Controlled.start({ paid: () => Effect.delay(Effect.succeed(Controlled.word), 20) })
    const authorization = `Authorization: ${slow.authorization}`
    for (const body of [
      "Content-Length: 5\r\n\r\nhello",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ]) {
      const found = await exchange(slow.url, request("GET /v1/controlled/paid", authorization).slice(0, -2) + body)
      assert.deepStrictEqual(
        found.map(({ status }) => status),
        [200],
      )
    }
    assert.strictEqual(await slow.balance(), 8_000)
    await slow.stop()
  })

  it("a request after the last answer of a connection is neither answered nor charged", async () => {
    const body = "Content-Length: 5"
    const rows: ReadonlyArray<readonly [string, number]> = [
      [request(`GET ${free}`, bearer, "Connection: close"), 200],
      [`${request(`GET ${free}`, bearer, body)}hello`, 200],
      [`${request(`GET ${free}`, bearer, "Transfer-Encoding: chunked")}0\r\n\r\n`, 200],
      [request(`GET ${"/".padEnd(9_000, "x")}`), 414],
      [request(`GET ${free}`, "Host: other", bearer), 400],
    ]
    for (const [first, status] of rows) {
      const [found, micros] = await spent(() => statuses(first + request(`GET ${paid}`, bearer)))
      assert.deepStrictEqual([found, micros], [[status], 0], first.slice(0, 200))
    }
  })

  it("a client that leaves its side open holds nothing: the server stops at once", async () => {
    const alone = await Controlled.start()
    const { socket, received } = open(alone.url)
    // Unlike the other test clients it never closes its own side.
    socket.removeAllListeners("end")
    socket.write("garbage\r\n\r\n")
    await new Promise((resolve) => socket.once("end", resolve))
    await atOnce(alone.stop)
    socket.destroy()
    assert.deepStrictEqual(
      responses(await received).map(({ status }) => status),
      [400],
    )
  })
})

describe("a request hidden in another", () => {
  const hidden = () => request(`GET ${paid}`, bearer)
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

  it.each<[string, (hidden: string) => string, ReadonlyArray<number>]>([
    ["in the body of a GET", (text) => request(`GET ${free}`, bearer, `Content-Length: ${text.length}`) + text, [200]],
    [
      "in the chunks of a GET",
      (text) => request(`GET ${free}`, bearer, "Transfer-Encoding: chunked") + chunk(text),
      [200],
    ],
    [
      "in the body of a HEAD of nothing",
      (text) =>
        `${request("GET /nowhere", `Content-Length: ${text.length}`)}${text}${request("GET /healthz", "Connection: close")}`,
      [404, 200],
    ],
    [
      "in the body of a POST",
      (text) =>
        `${request(`POST ${free}`, bearer, `Content-Length: ${text.length}`)}${text}${request("GET /healthz", "Connection: close")}`,
      [405, 200],
    ],
    [
      "in the chunks of a POST",
      (text) =>
        `${request(`POST ${free}`, "Transfer-Encoding: chunked")}${chunk(text)}${request("GET /healthz", "Connection: close")}`,
      [405, 200],
    ],
    [
      "behind a length and chunks",
      (text) => `${request(`POST ${free}`, "Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\n${text}`,
      [400],
    ],
    [
      "behind chunks and a length",
      (text) =>
        `${request(`POST ${free}`, "Transfer-Encoding: chunked", `Content-Length: ${text.length + 5}`)}0\r\n\r\n${text}`,
      [400],
    ],
    [
      "behind a folded coding",
      (text) => `${request(`POST ${free}`, "Transfer-Encoding:", " chunked", "Content-Length: 5")}0\r\n\r\n${text}`,
      [400],
    ],
    [
      "behind a coding of another name",
      (text) => `${request(`POST ${free}`, "Transfer-Encoding: xchunked")}0\r\n\r\n${text}`,
      [400],
    ],
    [
      "behind two codings",
      (text) =>
        `${request(`GET ${free}`, "Transfer-Encoding: chunked", "Transfer-Encoding: identity", bearer)}0\r\n\r\n${text}`,
      [400],
    ],
    [
      "behind a chunk whose size is a lie",
      (text) => `${request(`GET ${free}`, "Transfer-Encoding: chunked", bearer)}1\r\n${text}`,
      [400],
    ],
    [
      "behind a chunk size with a sign",
      (text) => `${request(`GET ${free}`, "Transfer-Encoding: chunked", bearer)}+0\r\n\r\n${text}`,
      [400],
    ],
    [
      "behind a folded header",
      (text) => `${request(`GET ${free}`, "X-A: b", ` ${text.slice(0, 20)}`, bearer)}${text}`,
      [400],
    ],
    ["behind two Hosts", (text) => request(`GET ${free}`, "Host: other", bearer) + text, [400]],
    [
      "behind the upgrade of a connection",
      (text) => `${request(`GET ${free}`, "Connection: Upgrade, close", "Upgrade: h2c", bearer)}${text}`,
      [200],
    ],
  ])("%s is never answered and never charged", async (_, around, expected) => {
    const [found, micros] = await spent(() => statuses(around(hidden())))
    assert.deepStrictEqual([found, micros], [[...expected], 0])
  })
})

describe("characters that break a header or a line", () => {
  const values = [
    "%0d%0aX-Injected:%201",
    "%0aX-Injected:1",
    "%00",
    "%e2%80%a8",
    "%c0%af",
    "%ff",
    "%",
    "%zz",
    "'\"<script>",
  ]
  it.each(["station", "day", "fields", "include", "verbose", "x-unknown"])("in ?%s stay in the body", async (name) => {
    for (const value of values) {
      const query = name === "station" ? `station=${value}` : `station=KNYC&${name}=${value}`
      const bytes = Buffer.from(request(`GET /v1/weather/settlement?${query}`, "Connection: close"), "latin1")
      const [unauthenticated] = await exchange(service.url, bytes)
      assert.strictEqual(unauthenticated!.status, 401)
      const test = `Authorization: Bearer ${service.account.test.token}`
      const asked = request(`GET /v1/weather/settlement?${query}`, test, "Connection: close")
      const found = await exchange(service.url, Buffer.from(asked, "latin1"))
      assert.lengthOf(found, 1)
      assert.strictEqual(found[0]!.status, 400)
      assert.isUndefined(found[0]!.headers["x-injected"])
      assert.doesNotThrow(() => JSON.parse(found[0]!.text))
    }
  })

  it("in a path answer the envelope", async () => {
    for (const value of values) {
      for (const path of [`/${value}`, `/errors/${value}`, `/v1/weather/stations${value}`, `/v1/jobs${value}`]) {
        const found = await exchange(
          service.url,
          Buffer.from(request(`GET ${path}`, bearer, "Connection: close"), "latin1"),
        )
        assert.lengthOf(found, 1)
        const { error } = JSON.parse(found[0]!.text)
        assert.deepStrictEqual([found[0]!.status, error.code], [404, "not_found"], path)
      }
    }
  })
})

describe("other ways to write a path", () => {
  it.each([
    "//v1/weather/stations",
    "/v1//weather/stations",
    "/v1/weather//stations",
    "/v1/./weather/stations",
    "/v1/nfl/../weather/stations",
    "/../v1/weather/stations",
    "/v1/nfl/%2e%2e/weather/stations",
    "/v1/nfl/%252e%252e/weather/stations",
    "/v1/weather/%73tations",
    "/v1%2fweather%2fstations",
    "/v1/weather%5cstations",
    "/v1\\weather\\stations",
    "/v1/weather/stations/",
    "/v1/weather/stations;",
    "/v1/weather/stations;v=1",
    "/v1/weather/stations#top",
    "/v1/weather/stations%00",
    "/v1/weather/stations%20",
    "/v1/weather/stations%3ffields=count",
    "/V1/weather/stations",
    "/v1/weather/STATIONS",
    "/v1/weather/stations.json",
    "/v1/__proto__",
    "/__proto__",
    "/constructor",
    "/toString",
    "/etc/passwd",
    "/../../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..\\..\\windows\\win.ini",
  ])("%s is no path", async (path) => {
    const [found] = await exchange(service.url, request(`GET ${path}`, bearer, "Connection: close"))
    assert.deepStrictEqual([found!.status, JSON.parse(found!.text).error.code], [404, "not_found"])
  })

  it("of something that is not offered stay outside the catalogue too", async () => {
    for (const path of [
      "/v1/jobs/../weather/stations",
      "/v1/jobs/%2e%2e/weather/stations",
      "/v1/jobs//",
      "/v1/jobs/__proto__",
    ])
      assert.deepStrictEqual(await statuses(request(`GET ${path}`, bearer, "Connection: close")), [410], path)
  })

  it("never reach an error on our side", async () => {
    for (const path of [
      "//healthz",
      "/healthz/",
      "/healthz;x",
      "/%68ealthz",
      "/readyz?",
      "/errors/",
      "/errors//",
      "/errors/a/b",
      "*",
      "?",
      "//",
      "///",
      "/?",
      "/%",
    ])
      assert.include([200, 404, 400], (await statuses(request(`GET ${path}`, "Connection: close")))[0], path)
  })
})

describe("names that every object has", () => {
  const names = [
    "__proto__",
    "constructor",
    "constructor.prototype",
    "prototype",
    "toString",
    "hasOwnProperty",
    "__defineGetter__",
  ]
  const untouched = () => {
    assert.deepStrictEqual(Object.keys(Object.prototype), [])
    assert.isUndefined(({} as Record<string, unknown>)["polluted"])
    assert.strictEqual(Object.getPrototypeOf({}), Object.prototype)
  }

  it.each(names)("%s as a parameter is unknown", async (name) => {
    const bracket = name.replace(".", "][")
    for (const query of [`${name}=polluted`, `${name}.polluted=1`, `${name}[polluted]=1`, `[${bracket}][polluted]=1`]) {
      const { status, json } = await service.get(`/v1/weather/stations?fields=count&${query}`)
      assert.deepStrictEqual([status, json.error.hints.length], [400, 1], query)
      assert.match(json.error.hints[0].suggestion, /^Unknown parameter /)
    }
    untouched()
  })

  it.each(names)("%s is no field", async (name) => {
    for (const path of [
      name,
      `${name}.polluted`,
      `stations.${name}`,
      `stations.${name}.polluted`,
      `stations.settles.${name}`,
    ]) {
      const { status, json } = await service.get(`/v1/weather/stations?fields=${path}`)
      assert.strictEqual(status, 400, path)
      assert.strictEqual(json.error.hints[0].field, "fields")
    }
    untouched()
  })

  it.each(names)("%s is no value and no extra", async (name) => {
    for (const query of [`station=${name}`, `station=KNYC&day=${name}`, `station=KNYC&include=${name}`])
      assert.strictEqual((await service.get(`/v1/weather/settlement?${query}`)).status, 400, query)
    untouched()
  })
})
