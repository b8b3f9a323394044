import { type AddressInfo, createServer, type Socket } from "node:net"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { WebhookClient } from "../../../../../adapters/server/webhooks/client.ts"
import { layerDestinations } from "../../../../../adapters/server/webhooks/guard.ts"
import * as mail from "../../../../../adapters/server/webhooks/mail.ts"
import { Destinations } from "../../../../../core/events/Destinations.ts"
import * as Event from "../../../../../core/events/Event.ts"
import { Webhooks } from "../../../../../core/events/Webhooks.ts"
import { signIn } from "../../../../adapters/web/dashboard/visitor.ts"
import { delivering } from "../../../../support/delivering.ts"
import { type Running, start } from "../../../../support/running.ts"
import { mailServer } from "../../../support/mailServer.ts"

const from = "signals@example.com"
const baseUrl = "https://signals.example.com"
const id = "9f1c2d34-5b6a-4c7d-8e9f-0a1b2c3d4e5f"

let server: Awaited<ReturnType<typeof mailServer>>
beforeAll(async () => {
  server = await mailServer()
})
afterAll(() => server.stop())

const posted: Array<string> = []
const others = Layer.succeed(WebhookClient, {
  post: (url) => Effect.sync(() => ({ status: 200, phrase: `as before ${posted.push(url)}`, response: "" })),
})

const send = (url: string, type: Event.EventType = "wallet.low", to = "mailto:ann@example.com", timeoutMs = 5_000) =>
  Effect.runPromise(
    Effect.flatMap(WebhookClient, ({ post }) =>
      Effect.either(post(to, {}, Event.toBody({ ...Event.makeTestEvent(type, id, 0), livemode: true }))),
    ).pipe(
      Effect.provide(mail.layer({ url: Redacted.make(url), from, baseUrl, timeoutMs }).pipe(Layer.provide(others))),
    ),
  )

const failure = async (...args: Parameters<typeof send>) => {
  const { error, detail } = Either.getOrThrow(Either.flip(await send(...args)))
  return [error, detail] as const
}

describe("a message", () => {
  it.each(Event.types)("of %s has a subject, what to do about it, and says that nobody answers", async (type) => {
    const before = server.received.length
    const answered = Either.getOrThrow(await send(server.url, type))
    assert.strictEqual(answered.status, 250)
    assert.lengthOf(server.received, before + 1)
    const { from: sender, to, text } = server.received.at(-1)!
    assert.deepStrictEqual([sender, to], [from, ["ann@example.com"]])
    assert.match(text, /^Subject: \S/m)
    assert.include(text, `Message-ID: <${id}@signals.example.com>`)
    assert.include(text, "Auto-Submitted: auto-generated")
    assert.match(text, /https:\/\/signals\.example\.com\/dashboard\/(agents|alerts|top-up|webhooks\/whk)/)
    assert.notMatch(text, /undefined|\[object/)
  })

  it("says how low a wallet is", async () => {
    await send(server.url)
    const { text } = server.received.at(-1)!
    assert.match(text, /^Subject: Your balance is low: 0\.99 USD\r$/m)
    assert.include(text, "The wallet has 0.99 USD, less than 1.00 USD.")
  })

  it("goes to mailto: alone", async () => {
    const before = server.received.length
    const answered = Either.getOrThrow(await send(server.url, "wallet.low", "https://a.example/hook"))
    assert.strictEqual(answered.phrase, "as before 1")
    assert.deepStrictEqual(posted, ["https://a.example/hook"])
    assert.lengthOf(server.received, before)
  })
})

describe("a mail server", () => {
  it("that accepts and never answers ends the attempt in time", async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket))
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const { port } = silent.address() as AddressInfo
    const began = performance.now()
    const [error] = await failure(`smtp://a:secret-one@127.0.0.1:${port}`, "wallet.low", undefined, 300)
    assert.strictEqual(error, "timeout")
    assert.isBelow(performance.now() - began, 2_000)
    assert.strictEqual(sockets.size, 1)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it("that refuses is quoted by its number, and no login is repeated", async () => {
    const wrong = await failure(server.url.replace("pass-word", "wrong-word"))
    assert.deepStrictEqual(wrong, ["status", "The mail server answered 535."])
    const full = await mailServer({
      onRcptTo: (_, __, done) => done(Object.assign(new Error("full"), { responseCode: 452 })),
    })
    assert.deepStrictEqual(await failure(full.url), ["status", "The mail server answered 452."])
    await full.stop()
    assert.deepStrictEqual(await failure(full.url), ["connect", "The mail server did not take it: ESOCKET."])
  })
})

describe("an address", () => {
  const check = (url: string, sendsMail = true) =>
    Effect.runPromise(
      Effect.flatMap(Destinations, ({ check }) => Effect.either(check(url))).pipe(
        Effect.provide(layerDestinations({ sendsMail })),
      ),
    )

  it("is one, in its plain form", async () => {
    assert.deepStrictEqual(
      await check("MAILTO:ann+x@mail.example.com"),
      Either.right({ url: "mailto:ann+x@mail.example.com" }),
    )
    const bad = [
      "a@b",
      "a@b.example,c@d.example",
      "a@b.example?cc=c@d.example",
      "a b@c.example",
      "a@b.example\r\nBcc: c@d.example",
      '"a"@b.example',
      "a@[127.0.0.1]",
      "a@localhost",
    ]
    for (const each of bad) assert.isTrue(Either.isLeft(await check(`mailto:${each}`)), each)
  })

  it("is refused where the service sends no e-mail", async () => {
    assert.isTrue(Either.isLeft(await check("mailto:ann@example.com", false)))
  })
})

describe("a server with SMTP_URL", () => {
  let running: Running
  let stopDelivery: () => Promise<void>
  beforeAll(async () => {
    const changes = { mail: Option.some({ url: Redacted.make(server.url), from }) }
    running = await start(changes)
    stopDelivery = delivering(running, changes)
  }, 60_000)
  afterAll(async () => {
    await stopDelivery()
    await running.stop()
  })

  const received = async (part: string) => {
    for (let looks = 0; !server.received.some(({ text }) => text.includes(part)) && looks < 100; looks++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return server.received.find(({ text }) => text.includes(part))
  }

  it("sends e-mail to an address that an operator names", async () => {
    const event = await running.run(
      Effect.gen(function* () {
        const { create, test } = yield* Webhooks
        const { webhook } = yield* create(running.account.id, "mailto:desk@example.com", ["wallet.low"])
        return yield* test(webhook.id)
      }),
    )
    const message = await received(event)
    assert.deepStrictEqual(message?.to, ["desk@example.com"])
    assert.include(message?.text, "Subject: [Test] Your balance is low: 0.99 USD")
  })

  it("lets an owner have it at the address that is verified, and at no other", async () => {
    const owner = await signIn(running, { account: "tester", name: "ann" })
    const url = "mailto:ann@example.com"
    const refused = await owner.send("/dashboard/webhooks/new", "create", { url, events: "wallet.low" })
    assert.strictEqual(refused.status, 422)
    assert.include(refused.html, "E-mail goes to the address with which you sign in")
    assert.notInclude((await owner.get("/dashboard/webhooks")).html, "E-mail ann@example.com")
    await running.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE persons SET email = 'ann@example.com' WHERE name = 'ann'`,
      ),
    )
    assert.include((await owner.get("/dashboard/webhooks")).html, "E-mail ann@example.com")
    assert.strictEqual((await owner.send("/dashboard/webhooks", "mail")).status, 303)
    const { html } = await owner.get("/dashboard/webhooks")
    assert.include(html, ">ann@example.com</a>")
    assert.notInclude(html, "E-mail ann@example.com")
    const webhooks = await running.run(Effect.flatMap(Webhooks, ({ list }) => list(running.account.id)))
    const webhook = webhooks.find((each) => each.url === url)
    const own = await owner.get(`/dashboard/webhooks/${webhook!.id}`)
    assert.include(own.html, "<h1>E-mail to ann@example.com</h1>")
    assert.notInclude(own.html, "Rotate secret")
    await owner.send(`/dashboard/webhooks/${webhook!.id}`, "test", { type: "webhook.failing" })
    assert.deepStrictEqual((await received("[Test] Webhook hooks.example.com is failing"))?.to, ["ann@example.com"])
  })
})
