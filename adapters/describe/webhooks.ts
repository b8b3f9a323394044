import * as Event from "../../core/events/Event.ts"
import { described } from "../../core/events/signature.ts"
import { ref } from "./components.ts"
import { eventName } from "./schemas.ts"

type Json = Readonly<Record<string, unknown>>

/** `webhook-id` → `WebhookId`. */
const component = (header: string): string => header.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())

/** The headers that authenticate a delivery, as components. */
export const parameters: Json = Object.fromEntries(
  Object.entries(described).map(([name, description]) => [
    component(name),
    { name, in: "header", required: true, description, schema: { type: "string" } },
  ]),
)

const operation = (type: Event.EventType): Json => ({
  operationId: type.replaceAll(".", "_"),
  tags: ["webhooks"],
  summary: `The event ${type}`,
  description: `${Event.meaningOf(type)} Verify the signature before parsing the body, then skip ids that were processed.`,
  security: [],
  parameters: Object.keys(parameters).map((name) => ref("parameters", name)),
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: ref("schemas", eventName(type)), example: Event.example(type) },
    },
  },
  responses: {
    "2XX": { description: "Received." },
    410: { description: "Disables the webhook: nothing more is sent to it." },
    default: { description: "The delivery is retried with the same body." },
  },
})

/** The requests that the service sends, by event type. */
export const webhooks: Json = Object.fromEntries(Event.types.map((type) => [type, { post: operation(type) }]))
