import recorded from "./examples.json" with { type: "json" }

type Json = Readonly<Record<string, unknown>>

/** Successful answers by operation id and media type. */
export type Examples = Readonly<Record<string, Json>>

/** Answers of a server with generated data. Written by `npm run docs`; a test compares them with such a server's. */
export const examples: Examples = recorded

const summary = "Recorded from generated data; long lists are cut."

const illustrated = (response: Json, own: Json): Json => ({
  ...response,
  content: Object.fromEntries(
    Object.entries((response["content"] ?? {}) as Readonly<Record<string, Json>>).map(([type, media]) => [
      type,
      own[type] === undefined ? media : { ...media, examples: { recorded: { summary, value: own[type] } } },
    ]),
  ),
})

/** Adds the recorded answers to the successful responses of an operation. */
export const withExamples = (operation: Json): Json => {
  const example = examples[String(operation["operationId"])]
  if (example === undefined) return operation
  const responses = Object.entries(operation["responses"] as Readonly<Record<string, Json>>).map(
    ([status, response]) => [status, /^20\d$/.test(status) ? illustrated(response, example) : response] as const,
  )
  return { ...operation, responses: Object.fromEntries(responses) }
}
