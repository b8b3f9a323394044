import type { ServerResponse } from "node:http"
import { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { assert, describe, it } from "@effect/vitest"
import {
  bytesPerWrite,
  endWith,
  endWithLines,
  sliceBytes,
  streamBytes,
} from "../../../../adapters/server/http/slices.ts"

/** A response that keeps what is written to it, write by write. */
const response = () => {
  const writes: Array<Buffer> = []
  const to = new Writable({
    write: (chunk: Buffer, _, done) => {
      writes.push(chunk)
      done()
    },
  })
  return { to: to as unknown as ServerResponse, writes, ended: finished(to) }
}

const sizes = (writes: ReadonlyArray<Uint8Array>) => writes.map(({ length }) => length)

it("bytes are cut into equal slices, the last one as long as the rest", () => {
  const bytes = Uint8Array.from({ length: 7 }, (_, at) => at)
  assert.deepStrictEqual(
    [...sliceBytes(bytes, 3)].map((slice) => [...slice]),
    [[0, 1, 2], [3, 4, 5], [6]],
  )
  assert.deepStrictEqual(sizes([...sliceBytes(bytes, 7)]), [7])
  assert.isEmpty([...sliceBytes(new Uint8Array(0))])
  assert.deepStrictEqual(sizes([...sliceBytes(new Uint8Array(bytesPerWrite + 1))]), [bytesPerWrite, 1])
})

it("a text is cut by its bytes, and arrives whole", async () => {
  const text = "ü".repeat(bytesPerWrite)
  const chunks: Array<Buffer> = []
  for await (const chunk of streamBytes(text)) chunks.push(chunk as Buffer)
  assert.deepStrictEqual(sizes(chunks), [bytesPerWrite, bytesPerWrite])
  assert.strictEqual(Buffer.concat(chunks).toString(), text)
})

describe("the end of a response", () => {
  it("is one write up to the limit, and slices past it", async () => {
    const [short, long] = [response(), response()]
    endWith(short.to, "x".repeat(bytesPerWrite))
    endWith(long.to, Buffer.alloc(bytesPerWrite + 1))
    await Promise.all([short.ended, long.ended])
    assert.deepStrictEqual(sizes(short.writes), [bytesPerWrite])
    assert.deepStrictEqual(sizes(long.writes), [bytesPerWrite, 1])
  })

  it("with lines joins short ones up to a size, and loses none", async () => {
    const { to, writes, ended } = response()
    const line = `${"x".repeat(8_191)}\n`
    endWithLines(to, [line, line, line])
    await ended
    assert.deepStrictEqual(sizes(writes), [16_384, 8_192])
    assert.strictEqual(Buffer.concat(writes).toString(), line.repeat(3))
  })

  it("with no lines writes nothing", async () => {
    const { to, writes, ended } = response()
    endWithLines(to, [])
    await ended
    assert.isEmpty(writes)
  })
})
