import { execFileSync, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Webhook } from "standardwebhooks"
import { guidePath } from "../../../../adapters/describe/guides.ts"
import { snippets } from "../../../../adapters/describe/webhookSnippets.ts"
import * as App from "../../../../services/app.ts"
import { manyCalls } from "../../../support/manyCalls.ts"
import { answering, ok, type Receiver, receiver } from "../../../support/receiver.ts"
import { type Running, settings, start } from "../../../support/running.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"

const token = "an-operator's-token-of-32-characters"
const both = ["agent.budget_warning", "agent.budget_exceeded"]

let service: Running
let to: Receiver
let stopDelivery: () => Promise<void>
beforeAll(async () => {
  to = await receiver()
  const changes = {
    admin: { token: Option.some(Redacted.make(token)), listen: Option.some({ host: "127.0.0.1", port: 0 }) },
    webhooks: { allowHosts: [to.host] },
  }
  service = await start(changes)
  let stop = () => {}
  const stopped = service.run(
    Effect.scoped(
      Effect.zipRight(
        Layer.build(App.delivery(settings(changes))),
        Effect.async<void>((resume) => {
          stop = () => resume(Effect.void)
        }),
      ),
    ),
  )
  stopDelivery = () => {
    stop()
    return stopped
  }
})
afterAll(async () => {
  await stopDelivery()
  await service.stop()
  await to.stop()
})

const send = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${service.adminUrl}/admin/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
  return { status: response.status, text, json: JSON.parse(text) as any }
}

/** An account with a webhook at its own path. */
const account = async (name: string, events: ReadonlyArray<string> = both) => {
  await send("POST", "accounts", { name })
  await send("POST", `accounts/${name}/credits`, { micros: 10_000_000 })
  const { status, json } = await send("POST", `accounts/${name}/webhooks`, { url: `${to.url}/${name}`, events })
  assert.strictEqual(status, 201)
  const received = () => to.received.filter(({ path }) => path === `/${name}`)
  return { ...json, received, got: (count: number) => to.until(() => received().length >= count) }
}

describe("webhooks over the admin API", () => {
  it("are made, listed, tested, paused, rotated and deleted", async () => {
    const made = await account("life")
    const { secret, received: _, got, ...shown } = made
    assert.match(made.id, /^whk_[0-9A-Z]{26}$/)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepStrictEqual((await send("GET", "accounts/life/webhooks")).json, { webhooks: [shown] })
    assert.deepInclude(shown, { url: `${to.url}/life`, events: both, status: "active" })

    const tested = await send("POST", `webhooks/${made.id}/test`, { type: both[1] })
    await got(1)
    const first = made.received()[0]
    assert.deepStrictEqual([tested.status, tested.json], [201, { webhook: made.id, event: first.id }])
    const body = JSON.parse(first.body)
    assert.deepStrictEqual(Object.keys(body), ["id", "type", "timestamp", "api_version", "livemode", "data"])
    assert.deepInclude(body, { id: first.id, type: both[1], api_version: "v1", livemode: false })
    assert.deepStrictEqual(new Webhook(secret).verify(first.body, first.headers), body)

    assert.strictEqual((await send("POST", `webhooks/${made.id}/pause`)).json.status, "paused")
    await send("POST", `webhooks/${made.id}/test`)
    const [waiting] = (await send("GET", `webhooks/${made.id}/deliveries?limit=1`)).json.deliveries
    assert.deepInclude(waiting, { state: "waiting", cause: "test", attempts: [] })
    assert.isFalse("next_attempt_at" in waiting)
    assert.strictEqual((await send("POST", `webhooks/${made.id}/resume`)).json.status, "active")
    await got(2)

    const rotated = await send("POST", `webhooks/${made.id}/rotate`, {})
    assert.strictEqual(rotated.status, 201)
    assert.notStrictEqual(rotated.json.secret, secret)
    assert.closeTo(Date.parse(rotated.json.previous_secret_until), Date.now() + 86_400_000, 60_000)
    await send("POST", `webhooks/${made.id}/test`)
    await got(3)
    const third = made.received()[2]
    for (const each of [secret, rotated.json.secret]) new Webhook(each).verify(third.body, third.headers)

    assert.deepStrictEqual((await send("POST", `webhooks/${made.id}/delete`)).json, { id: made.id, deleted: true })
    assert.deepStrictEqual((await send("GET", "accounts/life/webhooks")).json, { webhooks: [] })
    assert.strictEqual((await send("POST", `webhooks/${made.id}/test`)).status, 404)
  })

  it("say why a delivery failed and when it is tried next; a redirect is not followed", async () => {
    to.answers((one, ...rest) =>
      (one.path === "/why"
        ? answering(302, { location: `${to.url}/elsewhere` }, "\u001b[2J moved <b>")
        : answering(200))(one, ...rest),
    )
    const made = await account("why")
    await send("POST", `webhooks/${made.id}/test`)
    await made.got(1)
    const listed = async (): Promise<ReadonlyArray<Record<string, unknown>>> => {
      const { deliveries } = (await send("GET", `webhooks/${made.id}/deliveries`)).json
      return deliveries[0].state === "pending" ? deliveries : listed()
    }
    const [delivery] = await listed()
    const [attempt] = delivery!["attempts"] as ReadonlyArray<Record<string, unknown>>
    const ended = Date.parse(String(attempt!["at"])) + Number(attempt!["duration_ms"])
    const pause = Date.parse(String(delivery!["next_attempt_at"])) - ended
    // A tenth more or less, and what the two clocks round away.
    assert.closeTo(pause, 5_000, 520)
    assert.deepInclude(attempt!, { number: 1, status: 302, error: "redirect", detail: "302 Found" })
    assert.strictEqual(attempt!["response"], "\u001b[2J moved <b>")
    assert.lengthOf(
      to.received.filter(({ path }) => path === "/elsewhere"),
      0,
    )
    await send("POST", `webhooks/${made.id}/delete`)
    to.answers(ok)
  })

  const url = "https://hooks.example.com/in"
  const refused: ReadonlyArray<readonly [string, string, unknown, number, ReadonlyArray<string>]> = [
    ["POST", "accounts/tester/webhooks", {}, 400, ["events", "url"]],
    ["POST", "accounts/tester/webhooks", { url, events: [] }, 400, ["events"]],
    ["POST", "accounts/tester/webhooks", { url, events: "agent.budget_warning" }, 400, ["events"]],
    ["POST", "accounts/tester/webhooks", { url, events: [5] }, 400, ["events"]],
    ["POST", "accounts/tester/webhooks", { url, events: ["job.completed"] }, 400, ["events"]],
    ["POST", "accounts/tester/webhooks", { url, events: ["regime.changed", "job.failed"] }, 400, ["events", "events"]],
    ["POST", "accounts/tester/webhooks", { url, events: ["tea"] }, 400, ["events"]],
    ["POST", "accounts/tester/webhooks", { url: "http://hooks.example.com", events: both }, 400, ["url"]],
    ["POST", "accounts/tester/webhooks", { url: "https://127.0.0.1/", events: both }, 400, ["url"]],
    ["POST", "accounts/tester/webhooks", { url: "https://2852039166/", events: both }, 400, ["url"]],
    ["POST", "accounts/tester/webhooks", { url: "https://a:b@hooks.example.com", events: both }, 400, ["url"]],
    ["POST", "accounts/tester/webhooks", { url: "https://hooks.example.com:6379", events: both }, 400, ["url"]],
    ["POST", "accounts/tester/webhooks", { url: `${url}${"x".repeat(2_048)}`, events: both }, 400, ["url"]],
    ["POST", "accounts/tester/webhooks", { url: 5, events: both }, 400, ["url"]],
    ["POST", "accounts/tester/webhooks", { url, events: both, secret: "mine" }, 400, ["secret"]],
    ["POST", "accounts/nobody/webhooks", { url, events: both }, 404, ["account"]],
    ["GET", "accounts/nobody/webhooks", undefined, 404, ["account"]],
    ["GET", "accounts/nobody/dead-letters", undefined, 404, ["account"]],
    ["GET", "accounts/tester/dead-letters?limit=0", undefined, 400, ["limit"]],
    ["POST", "webhooks/whk_0/pause", undefined, 404, ["webhook"]],
    ["POST", "webhooks/whk_0/delete", undefined, 404, ["webhook"]],
    ["POST", "webhooks/whk_0/rotate", {}, 404, ["webhook"]],
    ["POST", "webhooks/whk_0/rotate", { overlap_seconds: 86_401 }, 400, ["overlap_seconds"]],
    ["POST", "webhooks/whk_0/rotate", { overlap_seconds: -1 }, 400, ["overlap_seconds"]],
    ["POST", "webhooks/whk_0/test", { type: "job.failed" }, 400, ["type"]],
    ["GET", "webhooks/whk_0/deliveries", undefined, 404, ["webhook"]],
    ["GET", "webhooks/whk_0/deliveries?limit=1001", undefined, 400, ["limit"]],
    ["GET", "webhooks/whk_0/deliveries?type=tea", undefined, 400, ["type"]],
    ["POST", "webhooks/whk_0/replay", {}, 400, ["event"]],
    ["POST", "webhooks/whk_0/replay", { last: 1, dead_letters: true }, 400, ["event"]],
    ["POST", "webhooks/whk_0/replay", { dead_letters: false }, 400, ["event"]],
    ["POST", "webhooks/whk_0/replay", { last: 101 }, 400, ["last"]],
    ["POST", "webhooks/whk_0/replay", { last: 1 }, 404, ["webhook"]],
  ]
  it.each(refused)("%s %s with %j: %i %j", async (method, path, body, status, fields) => {
    const { status: found, json } = await send(method, path, body)
    const hinted = json.error.hints.map(({ field }: { readonly field: string }) => field)
    assert.deepStrictEqual([found, hinted.sort()], [status, [...fields]])
    assert.deepStrictEqual((await send("GET", "accounts/tester/webhooks")).json, { webhooks: [] })
  })

  it("show their secrets once", async () => {
    const made = await account("quiet")
    const rotated = (await send("POST", `webhooks/${made.id}/rotate`, {})).json.secret
    await send("POST", `webhooks/${made.id}/test`)
    await made.got(1)
    const answers = await Promise.all([
      send("GET", "accounts/quiet/webhooks"),
      send("GET", `webhooks/${made.id}/deliveries`),
      send("GET", "accounts/quiet/dead-letters"),
      send("POST", `webhooks/${made.id}/pause`),
      send("POST", `webhooks/${made.id}/resume`),
      send("POST", `webhooks/${made.secret}/pause`),
      send("POST", `webhooks/${encodeURIComponent(made.secret)}/pause`),
      send("POST", `webhooks/${made.id}/replay`, { event: made.secret }),
      send("GET", "openapi.json"),
      send("POST", `webhooks/${made.id}/delete`),
    ])
    const sent = made
      .received()
      .map(({ headers, body }: { headers: unknown; body: string }) => JSON.stringify([headers, body]))
    for (const text of [...answers.map((answer) => answer.text), ...sent]) {
      for (const secret of [made.secret, rotated]) assert.notInclude(text, secret.slice(6))
    }
    const left = await service.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT secret, previous_secret FROM webhooks WHERE id = ${made.id}`,
      ),
    )
    assert.deepStrictEqual(left, [{ secret: null, previous_secret: null }])
  })
})

describe("a thousand calls at once against a cap of five hundred", () => {
  it("bring the receiver one warning and then one exceeded, signed", { timeout: 60_000 }, async () => {
    const made = await account("race")
    await send("POST", "accounts/race/agents", { name: "racer", monthly_cap_micros: 500_000 })
    const { key } = (await send("POST", "accounts/race/keys", { environment: "live", tier: "pro", agent: "racer" }))
      .json
    const counts = await manyCalls(`${service.url}/v1/weather/settlement?station=KNYC`, key, 1_000)
    assert.deepStrictEqual(counts, { 200: 500, 429: 500 })
    await made.got(2)
    // Anything else in the queue would be delivered first.
    await send("POST", `webhooks/${made.id}/test`)
    await made.got(3)
    const bodies = made.received().map(({ body }: { readonly body: string }) => JSON.parse(body))
    assert.deepStrictEqual(
      bodies.map(({ type, livemode }: { type: string; livemode: boolean }) => [type, livemode]),
      [
        [both[0], true],
        [both[1], true],
        [both[0], false],
      ],
    )
    assert.deepStrictEqual(
      bodies.slice(0, 2).map(({ data }: { data: Record<string, unknown> }) => [data["spent_micros"], data["percent"]]),
      [
        [400_000, 80],
        [500_000, 100],
      ],
    )
    for (const { body, headers } of made.received()) new Webhook(made.secret).verify(body, headers)

    // Replayed: the same event, at another time.
    const [warning] = made.received()
    assert.deepStrictEqual((await send("POST", `webhooks/${made.id}/replay`, { event: warning.id })).json, {
      webhook: made.id,
      queued: [warning.id],
    })
    await made.got(4)
    const again = made.received()[3]
    assert.deepStrictEqual([again.id, again.body], [warning.id, warning.body])
    assert.isAtLeast(Number(again.headers["webhook-timestamp"]), Number(warning.headers["webhook-timestamp"]))
  })
})

describe("the page for receivers", () => {
  const folder = makeFolder()
  afterAll(() => removeFolder(folder))
  const save = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }

  const has = (command: string, ask = "--version") => spawnSync(command, [ask]).status === 0

  /** A received delivery, unchanged and with one byte changed. */
  const delivery = async () => {
    const made = await account(`docs${Math.random().toString(36).slice(2)}`)
    await send("POST", `webhooks/${made.id}/test`)
    await made.got(1)
    const { body, headers } = made.received()[0]
    return { secret: made.secret, body, signature: headers["x-service-signature"], bad: body.replace("v1", "v2") }
  }

  it("is served with every snippet, and takes nothing but GET and HEAD", async () => {
    const response = await fetch(`${service.url}${guidePath("webhooks")}`)
    const text = await response.text()
    assert.strictEqual(response.status, 200)
    assert.match(response.headers.get("content-type")!, /^text\/html/)
    const marks: Readonly<Record<string, string>> = { quot: '"', lt: "<", gt: ">", amp: "&" }
    const plain = text.replace(/<[^>]+>/g, "").replace(/&(\w+);/g, (_, name: string) => marks[name]!)
    for (const snippet of Object.values(snippets)) assert.include(plain, snippet.trimEnd())
    for (const type of both) assert.include(text, `<code>${type}</code>`)
    for (const word of [
      "5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, 21.6 h",
      "15 s",
      "X-Service-Signature",
    ]) {
      assert.include(text, word)
    }
    assert.notMatch(text, /undefined|\[object |NaN/)
    assert.strictEqual((await fetch(`${service.url}${guidePath("webhooks")}`, { method: "POST" })).status, 405)
  })

  it("verifies in Node", async () => {
    const { isGenuine } = await import(pathToFileURL(save("verify.mjs", snippets.Node)).href)
    const { secret, body, signature, bad } = await delivery()
    assert.isTrue(isGenuine(Buffer.from(body), signature, secret))
    for (const [bytes, header, key] of [
      [bad, signature, secret],
      [body, signature.replace(/^./, (c: string) => (c === "0" ? "1" : "0")), secret],
      [body, "", secret],
      [body, signature.slice(2), secret],
      [body, signature, `${secret}x`],
    ]) {
      assert.isFalse(isGenuine(Buffer.from(bytes), header, key))
    }
  })

  it.skipIf(!has("openssl", "version"))("verifies in the shell", async () => {
    const script = save("verify.sh", snippets.Shell)
    const { secret, body, signature, bad } = await delivery()
    const run = (text: string, header: string) =>
      spawnSync("sh", [script, save("body.json", text), header], { env: { ...process.env, WEBHOOK_SECRET: secret } })
        .status
    assert.deepStrictEqual(
      [run(body, signature), run(bad, signature), run(body, ""), run(body, "0".repeat(64))],
      [0, 1, 1, 1],
    )
  })

  it.skipIf(!has("python3"))("verifies in Python", async () => {
    const { secret, body, signature, bad } = await delivery()
    const program = `${snippets.Python}\nimport sys\nprint(*(is_genuine(b.encode(), h, sys.argv[1]) for b, h in zip(sys.argv[2::2], sys.argv[3::2])))`
    const said = execFileSync("python3", [
      save("verify.py", program),
      secret,
      body,
      signature,
      bad,
      signature,
      body,
      "é",
    ])
    assert.strictEqual(said.toString(), "True False False\n")
  })

  it.skipIf(!has("go", "version"))("compiles in Go", () => {
    save("verify.go", snippets.Go)
    save("go.mod", "module webhooks\n\ngo 1.21\n")
    execFileSync("go", ["vet", "./..."], { cwd: folder })
  })
})
