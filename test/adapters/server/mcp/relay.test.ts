import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { startEverything } from "../../../conformance/servers.ts"
import { connect, overHttp } from "./clients.ts"

let service: Awaited<ReturnType<typeof startEverything>>
beforeAll(async () => {
  service = await startEverything()
})
afterAll(() => service.stop())

describe.each(Object.entries(overHttp))("%s, whatever a server sends", (_, way) => {
  it("earlier messages arrive before the answer", async () => {
    const client = await connect(service.url, way, service.token)
    const seen: Array<number | string> = []
    const { content } = await client.callTool(
      { name: "test_tool_with_progress", arguments: {} },
      { onprogress: ({ progress }) => void seen.push(progress) },
    )
    seen.push("answer")
    assert.deepStrictEqual(seen, [0, 50, 100, "answer"])
    assert.deepStrictEqual(content, [{ type: "text", text: "Progressed." }])
    await client.close()
  })

  it.each([
    ["test_simple_text", ["text"]],
    ["test_image_content", ["image"]],
    ["test_audio_content", ["audio"]],
    ["test_embedded_resource", ["resource"]],
    ["test_multiple_content_types", ["text", "image", "resource"]],
  ] as const)("%s arrives whole", async (name, types) => {
    const client = await connect(service.url, way, service.token)
    const { content } = await client.callTool({ name, arguments: {} })
    assert.deepStrictEqual(
      (content as ReadonlyArray<{ type: string }>).map(({ type }) => type),
      types as unknown as Array<string>,
    )
    await client.close()
  })
})
