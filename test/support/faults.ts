import type { OutgoingHttpHeaders, ServerResponse } from "node:http"

/** What an upstream answers: 200 and no headers unless it says otherwise. */
export interface Payload {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Spoils an answer: writes something else, or in another way, or not at all. */
export type Fault = (good: Payload, response: ServerResponse) => void

const bytesOf = ({ body }: Payload): Buffer => (typeof body === "string" ? Buffer.from(body) : Buffer.from(body))

/** The head of a good answer that promises its whole body. */
const begin = (good: Payload, response: ServerResponse, headers: OutgoingHttpHeaders = {}): void =>
  void response.writeHead(good.status ?? 200, { "content-length": bytesOf(good).length, ...good.headers, ...headers })

const send = (good: Payload, response: ServerResponse): void => {
  begin(good, response)
  response.end(bytesOf(good))
}

/** The good answer with its JSON rewritten; an answer that is no JSON becomes one. */
const rewritten =
  (change: (body: unknown) => string): Fault =>
  (good, response) => {
    let value: unknown
    try {
      value = JSON.parse(bytesOf(good).toString())
    } catch {
      value = { value: 1 }
    }
    send({ ...good, headers: { "content-type": "application/json" }, body: change(value) }, response)
  }

const decimal = /^-?\d+(\.\d+)?$/

/** Every number replaced by a literal, and every number that is written as a string by the same between quotes. */
const withNumbers = (literal: string): Fault =>
  rewritten((value) =>
    JSON.stringify(value, (_, leaf) =>
      typeof leaf === "number" ? "\u0000bare" : typeof leaf === "string" && decimal.test(leaf) ? "\u0000quoted" : leaf,
    )
      .replaceAll('"\\u0000bare"', literal)
      .replaceAll("\\u0000quoted", literal),
  )

const wrong = (value: unknown): unknown =>
  typeof value !== "object" || value === null
    ? { wrong: typeof value }
    : Array.isArray(value)
      ? value.map(wrong)
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wrong(inner)]))

const html = "<!doctype html><html><head><title>Access Denied</title></head><body>Reference #18</body></html>"

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Fault =>
  (_, response) =>
    send({ status: code, headers: { "content-type": "application/json", ...headers }, body: "{}" }, response)

/** As many bytes of one JSON string, as fast as they are read and no faster. */
const huge =
  (bytes: number): Fault =>
  (_, response) => {
    const chunk = Buffer.alloc(65_536, "x")
    let left = bytes
    response.writeHead(200, { "content-type": "application/json" })
    response.write('{"pad":"')
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length
        if (!response.write(chunk)) return void response.once("drain", more)
      }
      if (!response.destroyed) response.end('"}')
    }
    more()
  }

/** The good answer, one byte at a time. */
const drip =
  (everyMs: number): Fault =>
  (good, response) => {
    const bytes = bytesOf(good)
    let at = 0
    begin(good, response)
    const timer = setInterval(() => {
      if (at < bytes.length) response.write(bytes.subarray(at, ++at))
      else response.end()
    }, everyMs)
    response.on("close", () => clearInterval(timer))
  }

/** The good answer, so many milliseconds later. */
const delay =
  (ms: number): Fault =>
  (good, response) => {
    const timer = setTimeout(() => send(good, response), ms)
    response.on("close", () => clearTimeout(timer))
  }

/** Faults that take a number. */
export const withFault = {
  delay,
  drip,
  huge,
  status,
  tooManyRequests: (retryAfterSeconds: number): Fault => status(429, { "retry-after": String(retryAfterSeconds) }),
} as const

/** Everything that an upstream can do wrong, by name: a provider's suite runs over all of them but `none`. */
export const faults = {
  none: send,
  /** Takes the request and says nothing. */
  hang: () => {},
  reset: (_, response) => void response.socket?.resetAndDestroy(),
  /** Promises the whole body and breaks off in the middle of it. */
  halfBody: (good, response) => {
    const bytes = bytesOf(good)
    begin(good, response)
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
  },
  /** Half of the body as if it were all of it. */
  truncated: (good, response) =>
    send({ ...good, body: bytesOf(good).subarray(0, Math.floor(bytesOf(good).length / 2)) }, response),
  empty: (good, response) => send({ ...good, body: "" }, response),
  /** The error page of a delivery network, with status 200. */
  html: (_, response) => send({ headers: { "content-type": "text/html" }, body: html }, response),
  /** The right keys, and an object in the place of every value. */
  wrongTypes: rewritten((value) => JSON.stringify(wrong(value))),
  /** `null` in the place of everything. */
  nothing: rewritten(() => "null"),
  /** No JSON by the letter, but some writers write it. */
  notANumber: withNumbers("NaN"),
  /** Valid JSON that JavaScript reads as Infinity. */
  infinite: withNumbers("1e999"),
  huge: huge(50 * 1_048_576),
  drip: drip(1_000),
  tooManyRequests: withFault.tooManyRequests(30),
  serverError: status(500),
  badGateway: status(502),
  unavailable: status(503, { "retry-after": "30" }),
  forbidden: (_, response) => send({ status: 403, headers: { "content-type": "text/html" }, body: html }, response),
} as const satisfies Readonly<Record<string, Fault>>

/** What each of them is to a client that reads JSON of a known shape: how it fails, and after how many requests. */
export const troubles: ReadonlyArray<readonly [name: keyof typeof faults, reason: string, requests: number]> = [
  ["hang", "timeout", 3],
  ["drip", "timeout", 3],
  ["reset", "transport", 3],
  ["halfBody", "transport", 3],
  ["truncated", "not-json", 1],
  ["empty", "not-json", 1],
  ["html", "not-json", 1],
  ["notANumber", "not-json", 1],
  ["infinite", "shape", 1],
  ["wrongTypes", "shape", 1],
  ["nothing", "shape", 1],
  ["huge", "too-large", 1],
  ["tooManyRequests", "status", 1],
  ["serverError", "status", 3],
  ["badGateway", "status", 3],
  ["unavailable", "status", 1],
  ["forbidden", "status", 1],
]

/** The sentence of a failure by its reason, after the name of the source. */
const sentences: Readonly<Record<string, RegExp>> = {
  timeout: /^ did not answer in \d+ s\.$/,
  busy: /^ has too many requests of this service waiting\.$/,
  paused: /^ does not answer\. It is asked again in \d+ s\.$/,
  throttled: /^ asked for a pause\. It is asked again in \d+ s\.$/,
  transport: /^ cannot be reached, or broke its answer off\.$/,
  status: /^ answered with an error \(status \d{3}\)\.$/,
  "too-large": /^ sent a longer answer than is accepted\.$/,
  "not-json": /^ sent an answer that cannot be read\.$/,
  shape: /^ sent an answer (of another form than expected\.|that cannot be true: .+)$/s,
}

/** Whether a message names the source and what happened. */
export const isSaid = (message: string, title: string, reason: string): boolean =>
  message.startsWith(title) && sentences[reason]!.test(message.slice(title.length))
