import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer as createTlsServer } from "node:https"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as client from "../../../../adapters/server/webhooks/client.ts"
import { timeoutMs } from "../../../../core/events/retry.ts"
import { answering, hang, type Receiver, receiver, reset } from "../../../support/receiver.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"

const send = (url: string, options: client.Options, body = "{}") =>
  Effect.runPromise(
    Effect.flatMap(client.WebhookClient, ({ post }) =>
      Effect.either(post(url, { "content-type": "application/json", "x-test": "1" }, body)),
    ).pipe(Effect.provide(client.layer(options))),
  )

const failure = async (url: string, options: client.Options) => {
  const { error, detail } = Either.getOrThrow(Either.flip(await send(url, options)))
  return [error, detail] as const
}

describe("the client", () => {
  let to: Receiver
  let options: client.Options
  beforeAll(async () => {
    to = await receiver()
    options = { allowHosts: [to.host] }
  })
  afterAll(() => to.stop())

  it("gives back a response that every store takes", async () => {
    to.answers(answering(202, {}, "a\u0000b"))
    assert.strictEqual(Either.getOrThrow(await send(`${to.url}/in`, options, "{}")).response, "a\uFFFDb")
  })

  it("sends the body as it is and gives back what is said", async () => {
    to.answers(answering(202, {}, "thanks"))
    const body = '{"a":"é 🦊"}'
    const answered = Either.getOrThrow(await send(`${to.url}/in?x=1`, options, body))
    assert.deepStrictEqual(answered, { status: 202, phrase: "Accepted", response: "thanks" })
    const { path, headers, body: got } = to.received.at(-1)!
    assert.deepStrictEqual([path, got, headers["x-test"], headers.host], ["/in?x=1", body, "1", to.host])
    assert.strictEqual(headers["content-length"], String(Buffer.byteLength(body)))
    assert.isUndefined(headers["authorization"])
  })

  it.each([200, 204, 299, 400, 404, 410, 500, 503])("takes %i for what it is", async (status) => {
    to.answers(answering(status, { "retry-after": "7" }))
    const answered = Either.getOrThrow(await send(to.url, options))
    assert.deepInclude(answered, { status, retryAfter: "7" })
  })

  it.each([301, 302, 303, 307, 308])("does not follow a %i", async (status) => {
    const elsewhere = await receiver()
    to.answers(answering(status, { location: elsewhere.url }))
    const before = to.received.length
    assert.strictEqual(Either.getOrThrow(await send(to.url, options)).status, status)
    assert.deepStrictEqual([to.received.length, elsewhere.received.length], [before + 1, 0])
    await elsewhere.stop()
  })

  it("stores the first kilobyte of a response and closes after 64 KiB", async () => {
    let written = 0
    const closed = new Promise<void>((resolve) => {
      to.answers((_, response) => {
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(16_384))) written += 16_384
        }
        response.on("drain", more).on("close", resolve)
        more()
      })
    })
    const { status, response } = Either.getOrThrow(await send(to.url, options))
    assert.deepStrictEqual([status, response], [200, "x".repeat(1_024)])
    await closed
    // The rest is in the socket's buffers and was never read.
    assert.isBelow(written, 16 * 1_048_576)
  })

  it("waits no longer than its time-out for an answer", async () => {
    to.answers(hang)
    const start = performance.now()
    assert.deepStrictEqual(await failure(to.url, { ...options, timeoutMs: 100 }), [
      "timeout",
      "No response within 100 ms.",
    ])
    assert.isBelow(performance.now() - start, timeoutMs / 2)
  })

  it("does not let a drop at a time make it wait longer", async () => {
    const drip = createServer((socket) => {
      socket.on("error", () => {})
      let sent = 0
      const timer = setInterval(() => socket.write("HTTP/1.1 200 OK\r\nx: ".charAt(sent++) || "x"), 10)
      socket.on("close", () => clearInterval(timer))
    })
    await new Promise<void>((resolve) => drip.listen(0, "127.0.0.1", resolve))
    const host = `127.0.0.1:${(drip.address() as AddressInfo).port}`
    assert.strictEqual((await failure(`http://${host}`, { allowHosts: [host], timeoutMs: 150 }))[0], "timeout")
    drip.close()
  })

  it("takes a status that has arrived for the answer, however slowly the rest comes", async () => {
    to.answers((_, response) => {
      response.writeHead(200).write("first")
      const timer = setInterval(() => response.write("."), 10)
      response.on("close", () => clearInterval(timer))
    })
    const { status, response } = Either.getOrThrow(await send(to.url, { ...options, timeoutMs: 500 }))
    assert.strictEqual(status, 200)
    assert.match(response, /^first\.*$/)
  })

  it("also when the connection breaks after it", async () => {
    to.answers((_, response, request) => {
      response.writeHead(200, { "content-length": "100" }).write("some", () => request.socket.resetAndDestroy())
    })
    assert.strictEqual(Either.getOrThrow(await send(to.url, options)).status, 200)
  })

  it.each([
    ["reset", "reset", reset],
    [
      "closed without a word",
      "reset",
      (_: unknown, __: unknown, request: { socket: Socket }) => void request.socket.end(),
    ],
    [
      "answered with no HTTP",
      "protocol",
      (_: unknown, __: unknown, request: { socket: Socket }) => void request.socket.end("SSH-2.0-x\r\n"),
    ],
    [
      "answered with endless headers",
      "protocol",
      (_: unknown, __: unknown, request: { socket: Socket }) =>
        void request.socket.end(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}\r\n\r\n`),
    ],
  ] as const)("says %s: %s", async (_, error, answer) => {
    to.answers(answer as never)
    assert.strictEqual((await failure(to.url, options))[0], error)
  })

  it("switches to no other protocol", async () => {
    to.answers((_, __, { socket }) => {
      socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
    })
    assert.strictEqual(Either.getOrThrow(await send(to.url, options)).status, 101)
  })

  it("says that nobody listens", async () => {
    const gone = await receiver()
    await gone.stop()
    const [error, detail] = await failure(gone.url, { allowHosts: [gone.host] })
    assert.strictEqual(error, "connect")
    assert.match(detail, /^ECONNREFUSED: connect ECONNREFUSED 127\.0\.0\.1:\d+$/)
  })
})

describe("behind the guard", () => {
  it("nothing is dialled that may not be: a name that has moved to this machine", async () => {
    const to = await receiver()
    const { port } = new URL(to.url)
    const resolve = () => Promise.resolve(["127.0.0.1"])
    for (const [url, options] of [
      [to.url, {}],
      [`https://127.0.0.1:${port}/`, {}],
      ["https://hooks.example.com/", { resolve }],
      ["https://hooks.example.com:8443/", { resolve }],
      ["https://hooks.example.com/", { resolve: () => Promise.resolve(["8.8.8.8", "169.254.169.254"]) }],
      ["https://2130706433/", {}],
      ["file:///etc/passwd", {}],
    ] as const) {
      assert.strictEqual((await failure(url, options))[0], "blocked", url)
    }
    assert.lengthOf(to.received, 0)
    await to.stop()
  })

  it("a name without an address is said so", async () => {
    const none = { resolve: () => Promise.resolve([]) }
    assert.deepStrictEqual(await failure("https://hooks.example.com/", none), [
      "dns",
      "hooks.example.com does not resolve.",
    ])
    const never = { resolve: () => new Promise<never>(() => {}), timeoutMs: 50 }
    assert.strictEqual((await failure("https://hooks.example.com/", never))[0], "timeout")
  })
})

const { status: noOpenssl } = spawnSync("openssl", ["version"])

describe.skipIf(noOpenssl !== 0)("over TLS", () => {
  const folder = makeFolder()
  const certificate = (name: string) => {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
    const { status, stderr } = spawnSync("openssl", [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -keyout".split(" "),
      key,
      "-out",
      cert,
      "-subj",
      `/CN=${name}`,
      "-addext",
      `subjectAltName=DNS:${name}`,
    ])
    if (status !== 0) throw new Error(String(stderr))
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  }
  afterAll(() => removeFolder(folder))

  it("delivers to a receiver whose certificate is good, and to no other", async () => {
    const { key, cert } = certificate("localhost")
    const other = certificate("hooks.example.com")
    let taken = 0
    const server = createTlsServer({ key, cert }, (_, response) => {
      taken++
      response.end("ok")
    })
    server.on("tlsClientError", () => {})
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const options = { allowHosts: ["localhost", "127.0.0.1"] }
    const url = `https://localhost:${port}/`
    assert.deepInclude(Either.getOrThrow(await send(url, { ...options, ca: cert })), { status: 200, response: "ok" })
    assert.strictEqual((await failure(url, options))[0], "tls", "self-signed")
    assert.strictEqual((await failure(url, { ...options, ca: other.cert }))[0], "tls", "another authority")
    assert.strictEqual(
      (await failure(`https://127.0.0.1:${port}/`, { ...options, ca: cert }))[0],
      "tls",
      "another name",
    )
    assert.strictEqual(taken, 1)
    server.close()
    server.closeAllConnections()
    const plain = await receiver()
    assert.strictEqual((await failure(plain.url.replace("http:", "https:"), { allowHosts: [plain.host] }))[0], "tls")
    await plain.stop()
  })
})
