import { setTimeout as pause } from "node:timers/promises"
import { type ContentBlock, Server, type ServerContext } from "@modelcontextprotocol/server"

/** One red pixel, and a header without samples: the smallest of their kinds. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="

const text = (said: string): ContentBlock => ({ type: "text", text: said })
const image: ContentBlock = { type: "image", data: png, mimeType: "image/png" }
const resource = (uri: string, said = "Embedded."): ContentBlock => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: said },
})

type Run = (about: ServerContext) => ReadonlyArray<ContentBlock> | Promise<ReadonlyArray<ContentBlock>>

/** The tools that the conformance suite asks for by name. */
const tools: Readonly<Record<string, Run>> = {
  test_simple_text: () => [text("Simple.")],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: "audio", data: wav, mimeType: "audio/wav" }],
  test_embedded_resource: () => [resource("test://embedded-resource")],
  test_multiple_content_types: () => [text("Several."), image, resource("test://mixed-content-resource")],
  test_error_handling: () => {
    throw new Error("On purpose.")
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const said of ["Started.", "Under way.", "Done."]) {
      await mcpReq.log("info", said)
      await pause(20)
    }
    return [text("Logged.")]
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } })
      }
      await pause(20)
    }
    return [text("Progressed.")]
  },
}

const prompts: Readonly<Record<string, (given: Readonly<Record<string, string>>) => ReadonlyArray<ContentBlock>>> = {
  test_simple_prompt: () => [text("Simple.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`${arg1} and ${arg2}`)],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [resource(resourceUri), text("Read it.")],
  test_prompt_with_image: () => [image, text("Look at it.")],
}

const contentsOf = (uri: string) =>
  uri === "test://static-binary"
    ? { uri, mimeType: "image/png", blob: png }
    : { uri, mimeType: "text/plain", text: `Contents of ${uri}.` }

const schema = { type: "object" } as const
const listOf = (table: object) => Object.keys(table).map((name) => ({ name, description: `Fixture ${name}.` }))

/** A server with a bit of everything that the protocol has, to hold our transports against. */
export const makeServer = (): Server => {
  const server = new Server(
    { name: "everything", version: "1" },
    { capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} } },
  )
  server.setRequestHandler("tools/list", () => ({
    tools: listOf(tools).map((tool) => ({ ...tool, inputSchema: schema })),
  }))
  server.setRequestHandler("tools/call", async ({ params }, about) => {
    try {
      return { content: [...(await tools[params.name]!(about))] }
    } catch (error) {
      return { isError: true, content: [text(String(error))] }
    }
  })
  server.setRequestHandler("prompts/list", () => ({ prompts: listOf(prompts) }))
  server.setRequestHandler("prompts/get", ({ params }) => ({
    messages: prompts[params.name]!(params.arguments ?? {}).map((content) => ({ role: "user", content })),
  }))
  server.setRequestHandler("resources/list", () => ({
    resources: [
      { uri: "test://static-text", name: "text" },
      { uri: "test://static-binary", name: "binary" },
    ],
  }))
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [contentsOf(params.uri)] }))
  server.setRequestHandler("resources/subscribe", () => ({}))
  server.setRequestHandler("resources/unsubscribe", () => ({}))
  server.setRequestHandler("completion/complete", () => ({ completion: { values: ["one"] } }))
  return server
}
