import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type ApiState, type Asked, api, say, troubled } from "./api.ts"
import { type Books, books, type Paid } from "./books.ts"
import { deliveries, type Endpoint, type Travel } from "./delivery.ts"
import { formOf, textAt, type Value } from "./form.ts"
import { type Act, ApiError, acts, type Session, type StripeEvent } from "./objects.ts"
import { page } from "./page.ts"

export interface Switches extends Travel, Paid {
  readonly api: ApiState
}

const calm: Switches = {
  api: "up",
  deliver: true,
  copies: 1,
  shuffle: false,
  deliveryMs: 0,
  retryMs: 200,
  attempts: 50,
  surcharge: 0,
  currency: undefined,
}

export interface Options {
  /** The account's secret key. */
  readonly key?: string
  readonly endpoint?: Endpoint
  readonly port?: number
  readonly random?: () => number
}

export const testKey = "sk_test_51Loopback0000000000000000"

/** The acts of the page's buttons. */
const buttons = ["pay", "later", "decline"] as const

const showing = (response: ServerResponse, session: Session, note?: string): void =>
  say(response, 200, page(session, note), { "content-type": "text/html; charset=utf-8" })

/** A part of Stripe on a port of its own: API, pages, messages, and books that a test reads. */
export const stripeHost = async ({ key = testKey, endpoint, port = 0, random = Math.random }: Options = {}) => {
  let switches = calm
  const requests: Array<Asked> = []
  const events: Array<StripeEvent> = []
  const sending = deliveries(() => switches, random)
  sending.to(endpoint)
  const account: Books = books(
    /_live_/.test(key),
    () => switches,
    (event) => {
      events.push(event)
      sending.tell(event)
    },
  )
  let origin = ""
  const answer = api(account, key, () => origin, requests)

  const pay = (response: ServerResponse, session: Session, form: Value): void => {
    const act = buttons.find((name) => name === textAt(form, "act"))
    if (session.status === "open" && act !== undefined) account.act(act, session)
    if (session.status === "open" || act === undefined || act === "decline") {
      showing(response, session, act === "decline" ? "Your card was declined." : "")
    } else {
      response.writeHead(303, { location: session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id) }).end()
    }
  }

  /** What a test asks of the double itself. */
  const asks: Readonly<Record<string, (given: never) => unknown>> = {
    // Browsers ask for it unasked.
    "GET /favicon.ico": () => ({}),
    "GET /double/books": () => ({ pending: sending.pending(), orders: account.standings() }),
    "GET /double/events": () => events,
    "GET /double/answers": () => sending.answers,
    "POST /double/switches": (given: Partial<Switches>) => (switches = { ...switches, ...given }),
    "POST /double/endpoint": (given: Endpoint) => sending.to(given),
    "POST /double/release": () => sending.release(),
    "POST /double/act": ({ act, order, cents }: { act: Act; order: string; cents?: number }) => {
      if (!acts.includes(act)) throw new ApiError(400, `No such act: ${act}`)
      account.act(act, account.ofOrder(order), cents)
    },
  }

  const server = createServer(async (request, response) => {
    request.on("error", () => {})
    const url = new URL(request.url!, "http://double")
    const body = await text(request).catch(() => "")
    if (url.pathname.startsWith("/v1/")) {
      if (switches.api !== "up" && switches.api !== "lost") return troubled[switches.api](request, response)
      if (switches.api === "lost") {
        switches = { ...switches, api: "up" }
        response.end = () => {
          request.socket.resetAndDestroy()
          return response
        }
      }
      return answer(request, response, url, body)
    }
    const session = account.session(/^\/c\/pay\/(\w+)$/.exec(url.pathname)?.[1] ?? "")
    if (session !== undefined) {
      return request.method === "POST" ? pay(response, session, formOf(body)) : showing(response, session)
    }
    const ask = asks[`${request.method} ${url.pathname}`]
    if (ask === undefined) return say(response, 404, "{}")
    try {
      say(response, 200, JSON.stringify(ask((body === "" ? {} : JSON.parse(body)) as never) ?? {}))
    } catch (problem) {
      say(response, problem instanceof ApiError ? problem.status : 500, JSON.stringify({ error: String(problem) }))
    }
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: origin,
    key,
    /** Requests of the API that arrived while it was up. */
    requests,
    events,
    answers: sending.answers,
    switch: (to: Partial<Switches>): void => {
      switches = { ...switches, ...to }
    },
    calm: (): void => {
      switches = calm
    },
    endpoint: sending.to,
    release: sending.release,
    idle: sending.idle,
    /** Sends a message about anything. */
    tell: account.event,
    act: (act: Act, orderId: string, cents?: number): void => account.act(act, account.ofOrder(orderId), cents),
    /** How the account stands on each order, in cents. */
    standings: account.standings,
    stop: (): void => {
      sending.stop()
      server.close()
      server.closeAllConnections()
    },
  }
}

export type StripeHost = Awaited<ReturnType<typeof stripeHost>>
