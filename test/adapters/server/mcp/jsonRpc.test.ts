import { PassThrough } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { maxDepth } from "../../../../adapters/server/http/body.ts"
import { defaultLimits } from "../../../../adapters/server/http/listener.ts"
import * as JsonRpc from "../../../../adapters/server/mcp/jsonRpc.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" }) as const

describe("one message", () => {
  const refusedBy = (text: string) => JSON.parse(Either.getOrThrow(Either.flip(JsonRpc.parse(bytes(text)))))
  const refusal = (code: number, message: string, id: unknown = null) => ({
    jsonrpc: "2.0",
    error: { code, message },
    id,
  })

  it("is read", () => {
    const { method } = Either.getOrThrow(JsonRpc.parse(bytes(JSON.stringify(ping(1))))) as { readonly method: string }
    assert.strictEqual(method, "ping")
  })

  it("is JSON in UTF-8, not too deep and no batch", () => {
    assert.deepStrictEqual(refusedBy("{"), refusal(-32_700, "The message is not JSON in UTF-8."))
    const [open, close] = ["[".repeat(maxDepth), "]".repeat(maxDepth)]
    assert.deepStrictEqual(
      refusedBy(`[${open}${close}]`),
      refusal(-32_600, `A message may nest at most ${maxDepth} levels.`),
    )
    assert.deepStrictEqual(
      refusedBy(`${open}${close}`),
      refusal(-32_600, "Batches are not supported: send one message per request."),
    )
  })

  it("is JSON-RPC 2.0; a refusal has its id, if that is a text or a number", () => {
    const message = "The message is not JSON-RPC 2.0."
    assert.deepStrictEqual(refusedBy('{"id":7}'), refusal(-32_600, message, 7))
    assert.deepStrictEqual(refusedBy('{"id":"x","jsonrpc":"1.0","method":"ping"}'), refusal(-32_600, message, "x"))
    assert.deepStrictEqual(refusedBy('{"id":{}}'), refusal(-32_600, message))
    assert.deepStrictEqual(refusedBy("null"), refusal(-32_600, message))
  })
})

it("an answer has an id and no method; a cancellation names the request", () => {
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } } as const
  const other = { jsonrpc: "2.0", method: "notifications/progress", params: { requestId: 3 } } as const
  assert.isTrue(JsonRpc.isAnswer({ jsonrpc: "2.0", id: 1, result: {} }))
  assert.isFalse(JsonRpc.isAnswer(ping(1)))
  assert.isFalse(JsonRpc.isAnswer(cancel))
  assert.strictEqual(JsonRpc.findCancelledId(cancel), 3)
  assert.isUndefined(JsonRpc.findCancelledId(other))
  assert.isUndefined(JsonRpc.findCancelledId(ping(3)))
})

describe("a stream of messages", () => {
  /** The ids of the messages of a stream, and what was answered to the others. */
  const reading = async (...chunks: ReadonlyArray<string>) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const ids: Array<unknown> = []
    const ended = (async () => {
      for await (const message of JsonRpc.readMessages({ input, output })) ids.push(JsonRpc.findId(message))
    })()
    for (const chunk of chunks) {
      input.write(chunk)
      await new Promise(setImmediate)
    }
    input.end()
    await ended
    const answers = (output.read() as Buffer | null)?.toString().trimEnd().split("\n") ?? []
    return { ids, answers: answers.map((line) => JSON.parse(line).error.message as string) }
  }

  const line = (id: number) => `${JSON.stringify(ping(id))}\n`

  it("has one per line, however the lines are cut", async () => {
    const all = line(1) + line(2) + line(3)
    assert.deepStrictEqual(await reading(all), { ids: [1, 2, 3], answers: [] })
    assert.deepStrictEqual(await reading(all.slice(0, 9), all.slice(9, 50), all.slice(50)), {
      ids: [1, 2, 3],
      answers: [],
    })
  })

  it("passes over empty lines and a last one without its end", async () => {
    assert.deepStrictEqual(await reading(`\n \r\n${line(1)}`, line(2).trimEnd()), { ids: [1], answers: [] })
  })

  it("answers a line that is no message and goes on", async () => {
    assert.deepStrictEqual(await reading(`x\n${line(1)}`), {
      ids: [1],
      answers: ["The message is not JSON in UTF-8."],
    })
  })

  it("takes a line up to the limit and drops one past it", async () => {
    const padded = (size: number) => `${JSON.stringify(ping(1)).padEnd(size)}\n`
    const most = defaultLimits.body
    assert.deepStrictEqual(await reading(padded(most) + padded(most)), { ids: [1, 1], answers: [] })
    const long = padded(most + 1)
    const dropped = { ids: [2], answers: ["A message is limited to 65,536 bytes."] }
    assert.deepStrictEqual(await reading(long + line(2)), dropped)
    assert.deepStrictEqual(await reading(long.slice(0, most), long.slice(most), line(2)), dropped)
  })
})
