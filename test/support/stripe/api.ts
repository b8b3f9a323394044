import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Books } from "./books.ts"
import { formOf, namesOf, textAt, textsIn, type Value } from "./form.ts"
import { ApiError } from "./objects.ts"

/** How the API answers. */
export type ApiState =
  | "up"
  | "down"
  | "reset"
  | "limited"
  | "hanging"
  | "trickling"
  | "html"
  | "text"
  | "null"
  | "cut"
  | "empty"
  /** The next request is carried out, and its answer lost. */
  | "lost"

/** Answers a request. */
export const say = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void =>
  void response
    .writeHead(status, {
      "content-type": "application/json",
      "request-id": `req_${randomBytes(7).toString("hex")}`,
      ...headers,
    })
    .end(body)

/** The parameters of a session that this API knows. */
const known = new Set(
  `mode client_reference_id success_url cancel_url expires_at adaptive_pricing.enabled payment_intent_data.description
  line_items.*.quantity line_items.*.price_data.currency line_items.*.price_data.unit_amount
  line_items.*.price_data.product_data.name`.split(/\s+/),
)
const isKnown = (name: string): boolean =>
  known.has(name) || /^(payment_intent_data\.)?metadata\.\w+$|^expand\.\*$/.test(name)

const bad = (message: string, param: string, code = "parameter_invalid"): ApiError =>
  new ApiError(400, message, { type: "invalid_request_error", code, param })

const checked = (form: Value): void => {
  const unknown = namesOf(form).find((name) => !isKnown(name))
  if (unknown !== undefined) throw bad(`Received unknown parameter: ${unknown}`, unknown, "parameter_unknown")
  const price = ["line_items", "0", "price_data"] as const
  const cents = Number(textAt(form, ...price, "unit_amount"))
  if (textAt(form, "mode") !== "payment") throw bad("This double knows payments alone", "mode")
  if (!Number.isInteger(cents) || cents < 50 || cents > 99_999_999) throw bad("Invalid amount", "line_items[0]")
  if (!/^[a-z]{3}$/.test(textAt(form, ...price, "currency") ?? "")) throw bad("Invalid currency", "line_items[0]")
  for (const name of ["success_url", "cancel_url"]) {
    if (!/^https?:\/\//.test(textAt(form, name) ?? "")) throw bad(`Not a valid URL: ${name}`, name, "url_invalid")
  }
  const left = Number(textAt(form, "expires_at")) - Date.now() / 1_000
  if (!(left >= 1_790 && left <= 86_410))
    throw bad("expires_at must be between 30 minutes and 24 hours from now", "expires_at")
}

/** A request of the API. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly form: Value
}

/** The API over the books of an account. */
export const api = (account: Books, key: string, origin: () => string, requests: Array<Asked>) => {
  const stored = new Map<string, { readonly asked: string; readonly status: number; readonly body: string }>()
  const expanded = (object: object, paths: ReadonlyArray<string>): object => {
    const copy: Record<string, unknown> = { ...object }
    for (const [first, ...rest] of paths.map((path) => path.split("."))) {
      const id = copy[first!]
      if (id === undefined) throw bad(`This property cannot be expanded (${first})`, "expand")
      if (typeof id === "string") copy[first!] = expanded(account.get(id), rest.length > 0 ? [rest.join(".")] : [])
    }
    return copy
  }

  const answered = (method: string, path: string, form: Value): object => {
    const expand = Object.values(textsIn(typeof form === "object" ? form["expand"] : undefined))
    if (method === "POST" && path === "/v1/checkout/sessions") {
      checked(form)
      return account.create(form, origin())
    }
    if (method === "GET" && path === "/v1/disputes") {
      const data = account.disputesOf(textAt(form, "payment_intent") ?? "")
      return { object: "list", url: path, has_more: false, data }
    }
    const [, kind, id] = /^\/v1\/(checkout\/sessions|payment_intents|charges|disputes)\/(\w+)$/.exec(path) ?? []
    if (method === "GET" && kind !== undefined) {
      const found = account.get(id!)
      if (!kind.replace("/", ".").startsWith(found.object))
        throw new ApiError(404, `No such ${kind}: '${id}'`, { type: "invalid_request_error", code: "resource_missing" })
      return expanded(found, expand)
    }
    throw new ApiError(404, `Unrecognized request URL (${method}: ${path})`, { type: "invalid_request_error" })
  }

  return (request: IncomingMessage, response: ServerResponse, url: URL, body: string): void => {
    const method = request.method!
    const form = formOf(method === "GET" ? url.search : body)
    requests.push({ method, url: request.url!, headers: request.headers, form })
    const error = (status: number, message: string, more: object) =>
      say(response, status, JSON.stringify({ error: { message, ...more } }, null, 2))
    const given = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1]
    if (given !== key) {
      error(401, `Invalid API Key provided: ${given}`, { type: "invalid_request_error" })
      return
    }
    const idempotencyKey = method === "POST" ? request.headers["idempotency-key"] : undefined
    const asked = `${method} ${url.pathname} ${body}`
    const former = typeof idempotencyKey === "string" ? stored.get(idempotencyKey) : undefined
    if (former !== undefined) {
      former.asked === asked
        ? say(response, former.status, former.body, { "idempotent-replayed": "true" })
        : error(
            400,
            `Keys for idempotent requests can only be used with the same parameters they were first used with.`,
            { type: "idempotency_error" },
          )
      return
    }
    try {
      const answer = JSON.stringify(answered(method, url.pathname, form), null, 2)
      if (typeof idempotencyKey === "string") stored.set(idempotencyKey, { asked, status: 200, body: answer })
      say(response, 200, answer)
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem
      error(problem.status, problem.message, problem.more)
    }
  }
}

/** Answers of an API in trouble. */
export const troubled: Readonly<
  Record<Exclude<ApiState, "up" | "lost">, (request: IncomingMessage, response: ServerResponse) => void>
> = {
  down: (_, response) => say(response, 500, JSON.stringify({ error: { type: "api_error", message: "Sorry" } })),
  limited: (_, response) =>
    say(
      response,
      429,
      JSON.stringify({ error: { type: "invalid_request_error", code: "rate_limit", message: "Too many requests" } }),
    ),
  reset: (request) => void request.socket.resetAndDestroy(),
  hanging: () => {},
  trickling: (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{")
    const timer = setInterval(() => response.write(" "), 20)
    response.once("close", () => clearInterval(timer))
  },
  html: (_, response) => say(response, 200, "<html>Bad gateway</html>", { "content-type": "text/html" }),
  text: (_, response) => say(response, 200, '"Hello"'),
  null: (_, response) => say(response, 200, "null"),
  cut: (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write('{"id":')
    setTimeout(() => response.destroy(), 5)
  },
  empty: (_, response) => say(response, 200, "{}"),
}
