import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { ready } from "../../../../adapters/server/http/health.ts"
import * as Controlled from "./controlled.ts"
import { atOnce, open, request, responses } from "./exchange.ts"
import { moment, pass, reached, refused, slow, wallet } from "./moments.ts"

const path = "/v1/controlled/paid"

const failure = async (response: Response) => ({
  status: response.status,
  error: ((await response.json()) as { error: Record<string, unknown> }).error,
})

describe("a client that goes away", () => {
  it("before the answer interrupts its call and pays nothing", async () => {
    const call = slow()
    const service = await Controlled.start({ paid: call.paid })
    const client = new AbortController()
    const gone = service.get(path, { signal: client.signal }).catch(() => "gone")
    await reached(call.began)
    client.abort()
    assert.strictEqual(await gone, "gone")
    await reached(call.interrupted)
    assert.strictEqual(await service.balance(), 10_000)
    await service.stop()
  })

  it("also interrupts the calls that it had sent behind the first", async () => {
    const calls = [slow(), slow(), slow()]
    const service = await Controlled.start({ paid: (n = 0) => calls[n]!.paid() })
    const { socket, received } = open(service.url)
    const ask = (n: number) => request(`GET ${path}?n=${n}`, `Authorization: ${service.authorization}`)
    socket.write(ask(0) + ask(1) + ask(2))
    for (const { began } of calls) await reached(began)
    socket.destroy()
    for (const { interrupted } of calls) await reached(interrupted)
    assert.strictEqual(await received, "")
    assert.strictEqual(await service.balance(), 10_000)
    await service.stop()
  })

  it("while the charge is being written has paid: the charge is neither torn nor made twice", async () => {
    const began = moment()
    const release = moment()
    const ledger = wallet(Effect.zipRight(Deferred.succeed(began, undefined), Deferred.await(release)))
    const service = await Controlled.start({ ledger })
    const client = new AbortController()
    const gone = service.get(path, { signal: client.signal }).catch(() => "gone")
    await reached(began)
    client.abort()
    await gone
    // An answer on another connection shows that the server has seen this one's end.
    assert.strictEqual((await fetch(`${service.url}/healthz`)).status, 200)
    await pass(release)
    assert.strictEqual((await fetch(`${service.url}/healthz`)).status, 200)
    assert.strictEqual(await service.balance(), 9_000)
    await service.stop()
  })
})

describe("a POST", () => {
  const plan = (service: Awaited<ReturnType<typeof Controlled.start>>, init: RequestInit = {}) =>
    service.get("/v1/plan/estimate", {
      method: "POST",
      body: JSON.stringify({ calls: [{ endpoint: "controlled_paid" }] }),
      ...init,
    })

  it("whose answer takes its time is waited for", async () => {
    const call = slow()
    const service = await Controlled.start({ paid: call.paid })
    const answer = plan(service)
    await reached(call.began)
    assert.strictEqual((await fetch(`${service.url}/healthz`)).status, 200)
    await pass(call.release)
    assert.strictEqual((await answer).status, 200)
    await service.stop()
  })

  it("is interrupted when its client goes away", async () => {
    const call = slow()
    const service = await Controlled.start({ paid: call.paid })
    const client = new AbortController()
    const gone = plan(service, { signal: client.signal }).catch(() => "gone")
    await reached(call.began)
    client.abort()
    assert.strictEqual(await gone, "gone")
    await reached(call.interrupted)
    await service.stop()
  })
})

describe("a bug behind an endpoint", () => {
  const secret = "secret value at /srv/data"
  it.each<[string, Controlled.Behaviour]>([
    ["a method that dies", { paid: () => Effect.die(new Error(secret)) }],
    [
      "a method that throws",
      {
        paid: () => {
          throw new TypeError(secret)
        },
      },
    ],
    [
      "an answer that is no JSON",
      { paid: () => Effect.succeed({ ...Controlled.word, results: { word: 1n as never } }) },
    ],
    [
      "an extra that dies",
      { paid: () => Effect.succeed({ ...Controlled.word, extras: { alternatives: Effect.die(new Error(secret)) } }) },
    ],
    [
      "a charge that dies",
      {
        ledger: wallet(Effect.die(new Error(secret))),
      },
    ],
  ])("%s: 500 that says nothing, a log that says all, no charge", async (_, behaviour) => {
    const service = await Controlled.start(behaviour)
    const response = await service.get(`${path}?include=_alternatives`)
    const id = response.headers.get("x-request-id")!
    const { status, error } = await failure(response)
    assert.strictEqual(status, 500)
    assert.deepStrictEqual(error, {
      code: "internal_error",
      message: "Unexpected server error.",
      recoverable: false,
      retry_after_ms: null,
      docs_url: "https://api.example/errors/internal_error",
      request_id: id,
      hints: [],
    })
    assert.match(service.log.join("\n"), /secret value at \/srv\/data|BigInt/)
    assert.include(service.log.join("\n"), id)
    assert.strictEqual(await service.balance(), 10_000)
    // The next call is answered normally.
    assert.strictEqual((await fetch(`${service.url}/v1/controlled/open`)).status, 200)
    await service.stop()
  })
})

describe("an answer that takes too long", () => {
  it("is given up with 408, interrupted and not charged", async () => {
    const call = slow()
    const service = await Controlled.start({ paid: call.paid }, { limits: { answerMs: 500 } })
    const { status, error } = await failure(await service.get(path))
    assert.deepStrictEqual([status, error["code"], error["recoverable"]], [408, "request_timeout", true])
    await reached(call.interrupted)
    assert.strictEqual(await service.balance(), 10_000)
    await service.stop()
  })

  it("but a charge that has begun is waited for and answered", async () => {
    const began = moment()
    const release = moment()
    const service = await Controlled.start(
      {
        paid: (n) => (n === undefined ? Effect.succeed(Controlled.word) : Effect.never),
        ledger: wallet(Effect.zipRight(Deferred.succeed(began, undefined), Deferred.await(release))),
      },
      { limits: { answerMs: 500 } },
    )
    const charged = service.get(path)
    await reached(began)
    // A later call has timed out, so the first has too.
    assert.strictEqual((await service.get(`${path}?n=1`)).status, 408)
    await pass(release)
    assert.strictEqual((await charged).status, 200)
    assert.strictEqual(await service.balance(), 9_000)
    await service.stop()
  })
})

describe("the end of the server", () => {
  it("finishes running calls, accepts no new connection, and closes idle ones", async () => {
    const call = slow()
    const service = await Controlled.start({ paid: call.paid })
    // The client would keep this connection and an idle one.
    const idle = open(service.url)
    idle.socket.write(request("GET /healthz"))
    await new Promise((resolve) => idle.socket.once("data", resolve))
    const { socket, received } = open(service.url)
    socket.write(request(`GET ${path}`, `Authorization: ${service.authorization}`))
    await reached(call.began)

    const stopped = service.stop()
    await refused(service.url)
    await pass(call.release)
    const [answer, ...more] = responses(await received)
    assert.deepStrictEqual([answer!.status, answer!.headers["connection"], more.length], [200, "close", 0])
    assert.strictEqual(responses(await idle.received).length, 1)
    await atOnce(() => stopped)
    assert.strictEqual(await service.balance(), 9_000)
  })

  it.each(["/readyz", `${path}?n=1`])(
    "answers what a connection still brings, %s, and that is its last",
    async (next) => {
      const calls = [slow(), slow()]
      const { began } = calls[1]!
      const service = await Controlled.start(
        { paid: (n = 0) => calls[n]!.paid() },
        { ready: Effect.zipRight(Deferred.succeed(began, undefined), ready) },
      )
      const { socket, received } = open(service.url)
      const ask = (target: string) => request(`GET ${target}`, `Authorization: ${service.authorization}`)
      socket.write(ask(path))
      await reached(calls[0]!.began)
      const stopped = service.stop()
      await refused(service.url)
      socket.write(ask(next) + ask(path))
      await reached(began)
      const isReadiness = next === "/readyz"
      for (const { release } of calls) await pass(release)
      const found = responses(await received)
      await stopped
      assert.deepStrictEqual(
        found.map(({ status, headers }) => [status, headers["connection"]]),
        [
          [200, "keep-alive"],
          // A server in shutdown announces that it takes no more calls.
          [isReadiness ? 503 : 200, "close"],
        ],
      )
      if (isReadiness) assert.isTrue(JSON.parse(found[1]!.text).draining)
      assert.strictEqual(await service.balance(), isReadiness ? 9_000 : 8_000)
    },
  )

  it("does not wait for connections that were opened and say nothing", async () => {
    const service = await Controlled.start()
    const { socket, received } = open(service.url)
    await new Promise((resolve) => socket.once("connect", resolve))
    // Once another connection is answered, this one was accepted.
    assert.strictEqual((await fetch(`${service.url}/healthz`)).status, 200)
    await atOnce(service.stop)
    assert.strictEqual(await received, "")
  })

  it("cuts a call that outlasts the drain, which then costs nothing", async () => {
    const call = slow()
    const service = await Controlled.start({ paid: call.paid }, { drainMs: 30 })
    const { socket, received } = open(service.url)
    socket.write(request(`GET ${path}`, `Authorization: ${service.authorization}`))
    await reached(call.began)
    await service.stop()
    assert.strictEqual(await received, "")
    await reached(call.interrupted)
    assert.strictEqual(await service.balance(), 10_000)
  })

  it("is not ready while it still accepts and answers calls, then closes", async () => {
    const service = await Controlled.start({}, { pauseMs: 700 })
    const ask = async (target: string) => {
      const response = await fetch(service.url + target, {
        headers: { authorization: service.authorization, connection: "close" },
      })
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
      return [response.status, ((await response.json()) as any).draining] as const
    }
    assert.deepStrictEqual(await ask("/readyz"), [200, undefined])
    const stopped = service.stop()
    while ((await ask("/readyz"))[0] === 200);
    assert.deepStrictEqual(await ask("/readyz"), [503, true])
    assert.deepStrictEqual(await ask("/healthz"), [200, undefined])
    assert.deepStrictEqual(await ask(path), [200, undefined])
    await stopped
    const refused = await ask("/healthz").catch((error: Error) => error)
    assert.instanceOf(refused, Error)
  })

  it("a port that is taken is an error in words", async () => {
    const service = await Controlled.start()
    const { port } = new URL(service.url)
    const error = await Controlled.start({}, { port: Number(port) }).then(
      () => undefined,
      (cause: Error) => cause,
    )
    assert.include(error!.message, `127.0.0.1:${port} is in use.`)
    await service.stop()
  })
})
