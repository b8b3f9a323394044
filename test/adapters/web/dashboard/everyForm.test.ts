// Proof: takes five seconds or more.
import { request } from "node:http"
import { text } from "node:stream/consumers"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Page } from "../../../../adapters/web/dashboard/Page.ts"
import { allPages } from "../../../../adapters/web/dashboard/pages/all.ts"
import { accountPath } from "../../../../adapters/web/dashboard/pages/operator/paths.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Calls } from "../../../../core/account/Calls.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { Alerts } from "../../../../core/alerts/Alerts.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import * as Event from "../../../../core/events/Event.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { ClimateArchive } from "../../../../core/lanes/weather/ports.ts"
import { People } from "../../../../core/people/People.ts"
import { freePort } from "../../../support/freePort.ts"
import { issuance } from "../../../support/issuances.ts"
import { jobOf, operationOf } from "../../../support/operation.ts"
import { type Running, start } from "../../../support/running.ts"
import { type StripeHost, stripeHost } from "../../../support/stripe/host.ts"
import { settingsOf } from "../../../support/stripe/provider.ts"
import { formsIn, linksIn, type PageForm, textOf } from "./forms.ts"
import { otherAccount, ours, type Seen, type Visitor } from "./visitor.ts"

/*
 * Every button of every page, and every form as the page shows it: pressed by each kind of person over an account that has
 * one of everything. Pages and actions are those of `allPages`: a new one is held to it without being named here, and fails
 * where nobody can press it.
 */

const jobs = [jobOf("retention", Effect.succeed("deleted 7 replies"))]
const webhookUrl = "http://127.0.0.1:9/"

let running: Running
let host: StripeHost
let pages: ReadonlyArray<Page>
beforeAll(async () => {
  host = await stripeHost()
  const operation = await Effect.runPromise(operationOf(jobs))
  pages = allPages(catalogue, undefined, operation)
  const port = await freePort()
  running = await start(
    {
      http: { host: "127.0.0.1", port, baseUrl: Option.none() },
      payments: { stripe: Option.some(settingsOf(host)), x402: Option.none() },
      webhooks: { allowHosts: ["127.0.0.1:9"] },
      mail: Option.some({ url: Redacted.make("smtp://127.0.0.1:9"), from: "signals@example.com" }),
    },
    { operation, port },
  )
}, 120_000)
afterAll(async () => {
  await running.stop()
  host.stop()
})

const roles = ["viewer", "owner", "operator"] as const
type Role = (typeof roles)[number]

/** An account with one of everything, in each of its states, and somebody who looks at it. */
interface World {
  readonly visitor: Pick<Visitor, "get" | "post">
  /** Addresses of a page, by the `:names` of its path. */
  readonly named: Readonly<Record<string, ReadonlyArray<string>>>
  /** What is typed into fields that a page leaves empty. */
  readonly typed: Readonly<Record<string, string>>
}

/** Somebody at an address of their own: one alone has too few requests a minute for all of this. */
const visitorFrom = (localAddress: string, cookie: string): World["visitor"] => {
  const send = (path: string, body?: URLSearchParams) =>
    new Promise<Seen>((resolve, reject) => {
      const type = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", ...ours }
      const method = body === undefined ? "GET" : "POST"
      const asked = request(running.url + path, { localAddress, method, headers: { cookie, ...type } }, (answer) => {
        const headers = new Headers(answer.headers.location === undefined ? {} : { location: answer.headers.location })
        text(answer).then((html) => resolve({ status: answer.statusCode!, headers, html }), reject)
      })
      asked.on("error", reject)
      asked.end(body?.toString())
    })
  return { get: (path) => send(path), post: send }
}

let worlds = 0

const makeWorld = async (role: Role): Promise<World> => {
  const name = `account ${++worlds}`
  const { id, key, token } = await otherAccount(running, name)
  const made = await running.run(
    Effect.gen(function* () {
      const [accounts, agents, alerts, webhooks] = [yield* Accounts, yield* Agents, yield* Alerts, yield* Webhooks]
      yield* accounts.credit(id, MicroUsd(5_000_000))
      const agent = yield* agents.create(id, "bot", {})
      const paused = yield* agents.create(id, "still", {})
      yield* agents.pause(paused.id)
      const call = "/v1/markets/edge?domain=weather"
      yield* alerts.create({ account: id, call, threshold: 0.5 })
      yield* alerts.pause((yield* alerts.create({ account: id, call, threshold: 0.5 })).id)
      const { webhook } = yield* webhooks.create(id, webhookUrl, Event.types)
      const { webhook: quiet } = yield* webhooks.create(id, webhookUrl, ["wallet.low"])
      yield* webhooks.pause(quiet.id)
      const sql = yield* SqlClient.SqlClient
      const at = Date.now()
      const event = (type: (typeof Event.types)[number]) => sql`
        INSERT INTO outbox ${sql.insert({
          id: crypto.randomUUID(),
          at,
          account_id: id,
          type,
          livemode: 1,
          data: JSON.stringify({ ...Event.makeTestEvent(type, "", at).data, agent_id: agent.id }),
        })}`
      yield* event("agent.budget_warning")
      yield* sql`
        UPDATE webhook_deliveries SET ended_at = ${at}, outcome = 'dead', reason = 'exhausted', attempts = 1
        WHERE webhook_id = ${webhook.id}`
      const archive = yield* ClimateArchive
      yield* archive.append([{ issuance: issuance("2026-07-08"), text: "report" }], at)
      const stopped = yield* accounts.create(`${name} stopped`)
      yield* accounts.credit(stopped.id, MicroUsd(5_000_000))
      yield* accounts.suspend(stopped.id)
      const credits = yield* Effect.forEach([id, stopped.id], (each) => accounts.journal(each, 1))
      return {
        agents: [agent.id, paused.id],
        webhooks: [webhook.id, quiet.id],
        stopped: stopped.id,
        credits: credits.map(([credit]) => credit!.id),
      }
    }),
  )
  await running.get("/v1/weather/signal?station=KNYC", token)
  const call = await running.run(
    Effect.flatMap(Calls, ({ page }) => Effect.map(page(id, {}, 1), ({ rows }) => rows[0]!.requestId)),
  )
  // As by links, without the limits of the page on which these are entered.
  const enter = (guest: { readonly name: string; readonly role?: "viewer" | "owner"; readonly isOperator?: boolean }) =>
    running.run(
      Effect.gen(function* () {
        const people = yield* People
        const { code } = yield* people.invite({
          ...{ account: id, role: "owner", isOperator: false, invitedBy: "test", lifeMs: 60_000 },
          ...guest,
        })
        return Redacted.value(yield* people.acceptInvitation(Redacted.value(code), {}))
      }),
    )
  await enter({ name: "ann" })
  await enter({ name: "amy" })
  await enter({ name: "vic", role: "viewer" })
  const me = { name: `me ${worlds}`, ...(role === "operator" ? { isOperator: true } : { role }) }
  // The first session is one that the second one can end.
  await enter(me)
  await running.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE persons SET email = 'me@example.com' WHERE name = ${me.name}`,
    ),
  )
  const cookie = `session-${new URL(running.url).port}=${await enter(me)}`
  const visitor = visitorFrom(`127.0.${worlds}.2`, cookie)
  return {
    visitor,
    named: {
      account: [id, made.stopped],
      agent: made.agents,
      call: [call],
      endpoint: endpoints,
      key: [key],
      webhook: made.webhooks,
    },
    typed: {
      name: "new",
      url: webhookUrl,
      call: "/v1/weather/settlement?station=KNYC",
      [`credit ${accountPath(id)}`]: made.credits[0]!,
      [`credit ${accountPath(made.stopped)}`]: made.credits[1]!,
      micros: "1",
      threshold_micros: "1",
      ...{ station: "KNYC", day: "2026-07-08", version: "2026-07-08-final", reason: "A test." },
    },
  }
}

const endpoints = Catalogue.live(catalogue).flatMap(({ endpoint }) =>
  Endpoint.isKeyless(endpoint) ? [] : [endpoint.id],
)

/** The addresses of a page; none where nothing here is what its path names. */
const addressesOf = ({ path }: Page, { named }: World): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].reduce<ReadonlyArray<string>>(
    (all, [part, name]) =>
      all.flatMap((address) => (named[name!] ?? []).map((value) => address.replace(part, encodeURIComponent(value)))),
    [path === "/dashboard/operator/service" ? `${path}?job=retention` : path],
  )

/** A text without what differs from one account to the next. */
const ofNobody = (text: string): string =>
  text
    .replace(/[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replace(/\b(account|me) \d+/g, "$1")
    .replace(/…[\w-]{4}/g, "…")

/** What a button does, the same on each page where it is of the frame of all pages. */
const buttonOf = ({ method, name }: PageForm, text: string): string => `${method} ${name}: ${ofNobody(text)}`

interface Pressable {
  readonly form: PageForm
  /** Absent: the form has none, and is sent by the Enter key. */
  readonly button: PageForm["buttons"][number] | undefined
  /** What it does, and the how manieth of those that do the same on the page. */
  readonly what: string
}

const buttonsIn = ({ html }: Seen): ReadonlyArray<Pressable> => {
  const times = new Map<string, number>()
  return formsIn(html).flatMap((form) =>
    (form.buttons.length === 0 ? [undefined] : form.buttons).map((button) => {
      const what = buttonOf(form, button?.text ?? "")
      const at = times.get(what) ?? 0
      times.set(what, at + 1)
      return { form, button, what: at === 0 ? what : `${what}, ${at + 1}` }
    }),
  )
}

const errorIn = ({ status, html }: Seen): string | undefined => {
  const said = [...html.matchAll(/<(\w+) class="error"[^>]*>([\s\S]*?)<\/\1>/g)].map(([, , text]) => textOf(text!))
  if (said.length > 0) return `${status} ${said.join(" ")}`
  return status < 400 ? undefined : `${status} ${textOf(/<h1[\s\S]*<\/main>/.exec(html)?.[0] ?? html).slice(0, 300)}`
}

/** What one kind of person has pressed, and what came of it. */
const pressing = (role: Role) => {
  const problems: Array<string> = []
  const ran = new Set<string>()
  let world: World | undefined
  const here = async () => (world ??= await makeWorld(role))
  const seenOnce = new Set<string>()
  const isNew = (what: string) => !seenOnce.has(what) && seenOnce.add(what) !== undefined

  const filled = ({ form: { values, missing }, button }: Pressable, at: string, { typed }: World) => {
    // What confirms is the end of the button's text: a name, a host, or the end of a key.
    const given: World["typed"] = { ...typed, confirm: button?.text.split(/[ …]/).at(-1) ?? "" }
    const body = new URLSearchParams(
      values.map(([name, value]): [string, string] => {
        if (!missing.includes(name)) return [name, value]
        const text = given[`${name} ${at}`] ?? given[name]
        if (text === undefined) problems.push(`${at}: nothing is typed into ${name}`)
        return [name, text ?? ""]
      }),
    )
    if (button?.value !== undefined) body.append(...button.value)
    return body
  }

  /** Sends a form by its button, from the page at an address. */
  const send = async (it: Pressable, path: string, from: string) => {
    const { visitor, ...of } = await here()
    const body = filled(it, from, { visitor, ...of })
    const to = it.form.to ?? from
    if (it.form.method === "get") return visitor.get(`${to.split(/[?#]/)[0]}?${body}`)
    ran.add(`${it.form.name} of ${path}`)
    return visitor.post(to, body)
  }

  const follow = async (seen: Seen): Promise<Seen> => {
    const next = seen.headers.get("location")
    return seen.status === 303 && next?.startsWith("/") === true ? (await here()).visitor.get(next) : seen
  }

  /** What a page shows that the one before it has not: the second step, pressed in its turn; why that was refused. */
  const next = async (step: Seen, before: Seen, path: string, from: string): Promise<string | undefined> => {
    const known = new Set(buttonsIn(before).map(({ what }) => what))
    for (const each of step.status === 200 ? buttonsIn(step) : []) {
      if (known.has(each.what) || each.form.method === "get") continue
      const error = errorIn(await follow(await send(each, path, from)))
      if (error !== undefined) return error
    }
    return undefined
  }

  /** Presses a button of a page, then those of the step that it leads to. */
  const press = async (page: Page, variant: number, what: string): Promise<void> => {
    const isUsed = world !== undefined
    const address = addressesOf(page, await here())[variant]!
    const before = await world!.visitor.get(address)
    const it = buttonsIn(before).find((each) => each.what === what)
    let error = it === undefined ? "it is gone" : undefined
    if (it !== undefined) {
      const first = await send(it, page.path, address)
      error = errorIn(await follow(first)) ?? (await next(first, before, page.path, address))
    }
    const isSame = async () =>
      it?.form.method === "get" ||
      buttonsIn(await world!.visitor.get(address))
        .map(({ what }) => what)
        .join() ===
        buttonsIn(before)
          .map(({ what }) => what)
          .join()
    if (error !== undefined || !(await isSame())) world = undefined
    if (error === undefined) return
    // What is pressed second may be refused for the first press: it counts over an account on which nothing was pressed.
    if (isUsed) return press(page, variant, what)
    problems.push(`${page.path} ${what}: ${error}`)
  }

  /** Follows a link; one to the second step of an action is pressed on. */
  const open = async (href: string, before: Seen, page: Page, address: string) => {
    const { visitor } = await here()
    const seen = await visitor.get(href)
    if (seen.status >= 400) problems.push(`${address} links to ${href}: ${seen.status}`)
    if (!/[?&]do=/.test(href)) return
    const error = errorIn(seen) ?? (await next(seen, before, page.path, href))
    world = undefined
    if (error !== undefined) problems.push(`${page.path} ${href}: ${error}`)
  }

  const look = async (page: Page) => {
    for (const variant of addressesOf(page, await here()).keys()) {
      const see = async () => {
        const address = addressesOf(page, await here())[variant]!
        return { address, seen: await world!.visitor.get(address) }
      }
      const { address, seen } = await see()
      if (seen.status !== 200) problems.push(`${address}: ${seen.status}`)
      let now = { address, seen, world }
      for (const each of linksIn(seen.html).map(ofNobody)) {
        if (!isNew(each)) continue
        if (now.world !== world) now = { ...(await see()), world }
        const href = linksIn(now.seen.html).find((href) => ofNobody(href) === each)
        if (href === undefined) problems.push(`${address}: the link to ${each} is gone`)
        else await open(href, now.seen, page, now.address)
      }
      for (const { form, what } of buttonsIn(seen)) {
        const isOfFrame = form.to?.startsWith("/dashboard/s") === true
        if (!isOfFrame || isNew(what)) await press(page, variant, what)
      }
    }
  }
  return { problems, ran, look }
}

const ran = new Set<string>()

describe.each(roles)("%s", (role) => {
  it("presses every button and sends every form as it is shown: none is refused", { timeout: 300_000 }, async () => {
    const { problems, ran: own, look } = pressing(role)
    for (const page of pages) {
      if (page.audience !== "operator" || role === "operator") await look(page)
    }
    for (const each of own) ran.add(each)
    assert.deepStrictEqual(problems, [])
  })
})

it("every action of every page was run by somebody", () => {
  const all = pages.flatMap(({ path, actions }) => Object.keys(actions ?? {}).map((name) => `${name} of ${path}`))
  assert.deepStrictEqual(
    all.filter((each) => !ran.has(each)),
    [],
  )
})
