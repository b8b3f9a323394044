import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as sqlite from "../adapters/store/engine/sqlite/open.ts"
import { topUpPath } from "../core/account/Quote.ts"
import { send, token } from "./adapters/server/http/adminClient.ts"
import { enter, hidden, type Seen, type Visitor, visitorOf } from "./adapters/web/dashboard/visitor.ts"
import { sum } from "./support/accounts.ts"
import { freePort } from "./support/freePort.ts"
import * as processes from "./support/processes.ts"
import { makeFolder, removeFolder } from "./support/store.ts"
import { testKey } from "./support/stripe/host.ts"
import type { Act, Standing } from "./support/stripe/objects.ts"
import { secret } from "./support/stripe/provider.ts"
import type { Listed } from "./support/stripe/running.ts"

const kills = Number(process.env["PAYMENT_SERVER_KILLS"] ?? 6)

const folder = makeFolder()
const file = join(folder, "store.db")
const children: Array<processes.Child> = []
afterAll(async () => {
  for (const { process } of children) process.kill("SIGKILL")
  await Promise.all(children.map(({ ended }) => ended))
  removeFolder(folder)
})

const started = async (program: string, environment: Readonly<Record<string, string>>): Promise<processes.Child> => {
  const child = processes.start(program, [], environment)
  children.push(child)
  await child.linesUntil(1)
  return child
}

/** Repeats what fails while the server is away. */
const until = async <A>(isOver: () => boolean, ask: () => Promise<A | undefined>): Promise<A | undefined> => {
  while (!isOver()) {
    const found = await ask().catch(() => undefined)
    if (found !== undefined) return found
    await pause(50)
  }
  return undefined
}

/** Something that an answer must be: it is asked for until it comes. */
const surely = async <A>(ask: () => Promise<A | undefined>): Promise<A> => {
  const end = Date.now() + 30_000
  const found = await until(() => Date.now() > end, ask)
  if (found === undefined) throw new Error("The server does not answer.")
  return found
}

/** The double of Stripe in a process of its own. */
const doubleOf = async (url: string) => {
  const double = await started("test/support/stripe/program.ts", {
    STRIPE_SECRET_KEY: testKey,
    WEBHOOK_URL: `${url}/payments/stripe`,
    STRIPE_WEBHOOK_SECRET: secret,
  })
  const at = double.lines[0]!
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${at}/double/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text)
  }
  return {
    url: at,
    books: (): Promise<{ readonly pending: number; readonly orders: Readonly<Record<string, Standing>> }> =>
      ask("GET", "books"),
    act: (act: Act, order: string, cents?: number) => ask("POST", "act", { act, order, cents }),
    switch: (to: object) => ask("POST", "switches", to),
    /** Orders whose payment was told in a message that was answered with 200. */
    answered: async (): Promise<ReadonlySet<string>> => {
      const events: ReadonlyArray<{ id: string; type: string; data: { object: Record<string, unknown> } }> = await ask(
        "GET",
        "events",
      )
      const answers: ReadonlyArray<{ event: string; status: number }> = await ask("GET", "answers")
      const taken = new Set(answers.filter(({ status }) => status === 200).map(({ event }) => event))
      return new Set(
        events
          .filter(
            ({ id, type, data }) => taken.has(id) && /session/.test(type) && data.object["payment_status"] === "paid",
          )
          .map(({ data }) => String((data.object["metadata"] as Record<string, string>)["order"])),
      )
    },
  }
}

type Double = Awaited<ReturnType<typeof doubleOf>>

/** What a payer does, each as likely as its share; money may go back. */
const stories: ReadonlyArray<ReadonlyArray<Act>> = [
  ["pay"],
  ["pay"],
  ["pay"],
  ["decline", "pay"],
  ["later", "settle"],
  ["later", "fail"],
  ["later"],
  ["expire"],
  ["decline"],
  [],
  ["pay", "refund"],
  ["pay", "dispute"],
]

/** Pays what somebody was led to pay. */
const paying = async (double: Double, id: string): Promise<void> => {
  for (const act of stories[Math.floor(Math.random() * stories.length)]!) {
    await pause(Math.random() * 100)
    await double.act(act, id, act === "refund" ? 1 + Math.floor(Math.random() * 100) : undefined)
  }
}

const rows = <A extends object>(query: string) =>
  Effect.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(query)).pipe(Effect.provide(sqlite.layer(file))),
  )

describe("a server that is killed while owners pay", () => {
  it(`credits every paid order exactly once and no unpaid one, ${kills} times`, {
    timeout: 60_000 + kills * 8_000,
  }, async () => {
    const [port, adminPort] = [await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const double = await doubleOf(url)
    // Some messages are given up while the server is away.
    await double.switch({ copies: 2, shuffle: true, deliveryMs: 100, retryMs: 200, attempts: 10 })
    const begin = () =>
      started("services/server.ts", {
        PORT: String(port),
        DATABASE_URL: `sqlite:${file}`,
        ADMIN_TOKEN: token,
        ADMIN_LISTEN: String(adminPort),
        STRIPE_SECRET_KEY: testKey,
        STRIPE_WEBHOOK_SECRET: secret,
        STRIPE_API_URL: double.url,
        LOG_LEVEL: "none",
      })
    const admin = (method: string, path: string, body?: unknown) =>
      send(`http://127.0.0.1:${adminPort}`, method, path, body)

    let server = await begin()
    for (const name of ["by-verb", "by-form"]) {
      await surely(async () => ((await admin("POST", "accounts", { name })).status === 201 ? true : undefined))
    }
    const { json: link } = await admin("POST", "dashboard-links", { account: "by-form", name: "ann" })
    const session = (await enter(url, link.path.split("#")[1])).headers.get("set-cookie")!.split(";")[0]!
    const owner: Visitor = visitorOf(url, session)

    let isOver = false
    /** Orders whose begin was answered: somebody was led to pay them. */
    const begun = new Set<string>()
    const payments: Array<Promise<void>> = []
    const led = (id: string) => {
      begun.add(id)
      payments.push(paying(double, id))
    }

    const byVerb = async (): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const answer = await admin("POST", "accounts/by-verb/orders", { micros: (1 + (n % 90)) * 1_000_000 }).catch(
          () => undefined,
        )
        if (answer?.status === 201) led(answer.json.id)
        await pause(20 + Math.random() * 40)
      }
    }

    let forms = 0
    /** Each form is sent until it is answered, as by somebody who presses the button again. */
    const byForm = async (): Promise<void> => {
      while (!isOver) {
        const page = await until(
          () => isOver,
          async () => {
            const { status, html } = await owner.get(topUpPath)
            return status === 200 ? html : undefined
          },
        )
        if (page === undefined) return
        const form = hidden(page, "begin")
        form.set("micros", String(1 + (forms % 90)))
        forms++
        const done = await surely(async (): Promise<Seen | undefined> => {
          const answer = await owner.post(topUpPath, form)
          return answer.status === 303 || answer.status === 200 ? answer : undefined
        })
        const sessionId = /\/c\/pay\/(\w+)/.exec(done.headers.get("location") ?? "")?.[1]
        const { orders } = await double.books()
        const id =
          sessionId === undefined
            ? /left=(txn_\w+)/.exec(done.html)?.[1]
            : Object.keys(orders).find((order) => orders[order]!.session === sessionId)
        assert.isDefined(id, "the answer to a form leads on to pay")
        led(id!)
        await pause(20 + Math.random() * 40)
      }
    }

    const workers = [byVerb(), byVerb(), byForm()]
    for (let kill = 0; kill < kills; kill++) {
      await pause(300 + Math.random() * 900)
      server.process.kill("SIGKILL")
      assert.isNull(await server.ended, server.stderr())
      server = await begin()
    }
    await pause(500)
    isOver = true
    await Promise.all(workers)
    await Promise.all(payments)
    while ((await double.books()).pending > 0) await pause(50)

    const listed = async (name: string): Promise<ReadonlyArray<Listed>> => {
      const { json } = await surely(async () => {
        const answer = await admin("GET", `accounts/${name}/orders?limit=1000`)
        return answer.status === 200 ? answer : undefined
      })
      assert.isUndefined(json.next)
      return json.orders
    }
    // What was answered is written, before anything is looked up.
    const told = await double.answered()
    const before = [...(await listed("by-verb")), ...(await listed("by-form"))]
    for (const { id, credited_micros, micros } of before) {
      if (told.has(id)) assert.strictEqual(credited_micros, micros, `the message about ${id} was answered and is lost`)
    }
    const reconciled = async () => (await admin("POST", "orders/reconcile", { all: true })).json
    const first = await reconciled()
    assert.deepInclude(first, { mismatched: [], unanswered: [] })
    assert.deepInclude(await reconciled(), { added: 0, credited_micros: 0, taken_back_micros: 0, unanswered: [] })

    const formed = await listed("by-form")
    const all = [...(await listed("by-verb")), ...formed]
    const known = new Map(all.map((order) => [order.id, order]))
    const { orders } = await double.books()
    for (const id of begun) assert.isTrue(known.has(id), `the order ${id} was answered and is lost`)
    assert.lengthOf(formed, forms, "a form makes one order, however often it is sent")
    for (const { id, micros, credited_micros, taken_back_micros } of all) {
      const { asked, paid, refunded, disputed } = orders[id]!
      const back = Math.min(paid, refunded + disputed)
      assert.deepStrictEqual(
        [micros, credited_micros, taken_back_micros],
        [asked * 10_000, paid * 10_000, back * 10_000],
        id,
      )
    }
    // A page whose order was not written led nobody anywhere.
    for (const [id, { paid }] of Object.entries(orders)) if (!known.has(id)) assert.strictEqual(paid, 0, id)

    server.process.kill("SIGKILL")
    await server.ended
    const journal = await rows<{ id: string; kind: string; micros: number; reverses: string | null }>(
      "SELECT id, kind, micros, reverses FROM postings",
    )
    const [wallets] = await rows<{ sum: number }>("SELECT SUM(balance_micros) AS sum FROM wallets")
    const of = (kind: string) => journal.filter((line) => line.kind === kind)
    const standings = Object.values(orders)
    const paid = standings.filter((each) => each.paid > 0)
    assert.sameMembers(
      of("credit").map(({ id }) => id),
      Object.keys(orders).filter((id) => orders[id]!.paid > 0),
    )
    assert.strictEqual(sum(of("credit").map(({ micros }) => micros)), sum(paid.map((each) => each.paid)) * 10_000)
    const back = sum(standings.map((each) => each.refunded + each.disputed)) * 10_000
    assert.strictEqual(sum(of("reversal").map(({ micros }) => micros)), back)
    assert.strictEqual(wallets!.sum, sum(paid.map((each) => each.paid)) * 10_000 - back)
    assert.isAbove(paid.length, kills)
    process.stdout.write(
      `${kills} kills: ${all.length} of ${standings.length} orders written, ${paid.length} paid, ${told.size} of them told by messages, ${first.credited_micros / 1e6} USD credited by the look, ${back / 1e6} USD taken back\n`,
    )
  })
})
