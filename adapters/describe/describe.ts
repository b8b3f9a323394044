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
