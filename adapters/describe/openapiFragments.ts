import * as Event from "../../core/events/Event.ts"
import { manageScope } from "../../core/rights/Rights.ts"
import * as Components from "./components.ts"

type Json = Readonly<Record<string, unknown>>

const failure = (status: number): Json => Components.ref("responses", Components.failureName(status))

export const discoveryTag = "discovery"

export const documentOperation = (summary: string, ...types: ReadonlyArray<string>): Json => ({
  tags: [discoveryTag],
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

export const probeOperation = (summary: string, statuses: ReadonlyArray<string>, canFail: boolean): Json => ({
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
    ...(canFail ? { 503: failure(503) } : {}),
  },
})

export const eventStream = "text/event-stream"
const exampleEvent = Event.example("alert.fired")

export const alertEvents: Json = {
  operationId: "alerts_events",
  tags: [manageScope],
  summary: "The account's fired alerts as server-sent events",
  description:
    "For live keys, free. The data of an event `alert.fired` is the body of a webhook's delivery; `beat` is sent every 15 s. To resume a stream, send the id of the last event as `Last-Event-ID`. A key receives the alerts of its lanes; an agent's key, those of its agent. The connection stays open until the key ends or the server stops.",
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
          example: `id: ${Date.parse(exampleEvent.timestamp)}-${exampleEvent.id}\nevent: ${exampleEvent.type}\ndata: ${JSON.stringify(exampleEvent)}\n\n`,
        },
      },
    },
    ...Object.fromEntries([401, 403, 405, 429].map((status) => [status, failure(status)])),
  },
}
