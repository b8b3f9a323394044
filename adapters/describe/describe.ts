import * as Event from "../../core/events/Event.ts"
import { manageScope } from "../../core/rights/Rights.ts"
import * as Components from "./components.ts"

type Json = Readonly<Record<string, unknown>>

const failure = (status: number): Json => Components.ref("responses", Components.failureName(status))

/** The page with the state of sources and lanes. */
export const statusPath = "/status"

/** Where the reference is. */
export const docs = "/docs"

/** The page of a group of operations. */
export const docsOf = (group: string): string => `${docs}/${group}`

/** The group of the documents. */
export const tag = "discovery"

/** The operation of a document: free, without a key. */
export const page = (summary: string, ...types: ReadonlyArray<string>): Json => ({
  tags: [tag],
  summary,
  description: "Free, without a key.",
  security: [],
  responses: {
    200: {
      description: summary,
      headers: Components.headersOf(["ETag", "Cache-Control"]),
      content: Object.fromEntries(
        types.map((type) => [
          type,
          { schema: { type: /^application\/(\w+\+)?json$/.test(type) ? "object" : "string" } },
        ]),
      ),
    },
    404: failure(404),
    405: failure(405),
    304: Components.ref("responses", "NotModified"),
  },
})

/** The operation of a health probe. */
export const health = (summary: string, statuses: ReadonlyArray<string>, failing: boolean): Json => ({
  tags: ["health"],
  summary,
  description: "Free, without a key and without a limit.",
  security: [],
  responses: {
    200: {
      description: summary,
      content: {
        "application/json": {
          schema: { type: "object", required: ["status"], properties: { status: { type: "string", enum: statuses } } },
        },
      },
    },
    405: failure(405),
    ...(failing ? { 503: failure(503) } : {}),
  },
})

export const eventStream = "text/event-stream"
const firing = Event.example("alert.fired")

/** The stream in the OpenAPI document. */
export const alertEvents: Json = {
  operationId: "alerts_events",
  tags: [manageScope],
  summary: "The account's fired alerts as server-sent events",
  description:
    "For live keys, free. Each event `alert.fired` has the body of a webhook's delivery as its data; `beat` comes every 15 s. A stream that ended goes on after the event whose id is in `Last-Event-ID`. A key reads what it may read: its lanes, and an agent's key that agent's alerts. A connection is kept open until the key ends or the server stops.",
  "x-charged-micros": 0,
  "x-error-codes": ["missing_authorization", "invalid_api_key", "insufficient_scope", "rate_limit_exceeded"],
  security: [{ apiKey: [] }],
  parameters: [
    {
      name: "Last-Event-ID",
      in: "header",
      required: false,
      description: "The id of the last event that was read.",
      schema: { type: "string" },
    },
  ],
  responses: {
    200: {
      description: "The stream.",
      content: {
        [eventStream]: {
          schema: { type: "string" },
          example: `id: ${Date.parse(firing.timestamp)}-${firing.id}\nevent: ${firing.type}\ndata: ${JSON.stringify(firing)}\n\n`,
        },
      },
    },
    ...Object.fromEntries([401, 403, 405, 429].map((status) => [status, failure(status)])),
  },
}
