import type { IncomingMessage, RequestListener } from "node:http"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Body from "../../../../adapters/server/http/body.ts"
import { fromListener, type Peer } from "../../../../adapters/server/http/handler.ts"
import * as Step from "../../../../core/Step.ts"

const ask = (listener: RequestListener, init: RequestInit = {}, peer: Peer = {}) =>
  fromListener(listener)(new Request("https://api.example/v1/a?b=%20c", init), peer)

/** Resolves when the connection of a request is closed. */
const closed = ({ socket }: IncomingMessage) => new Promise<void>((resolve) => socket.once("close", () => resolve()))

describe("a listener as a function from Request to Response", () => {
  it("gives the listener target, headers, address and body", async () => {
    const answer = await ask(
      (request, response) => {
        const { method, url, headers, rawHeaders, socket } = request
        const chunks: Array<Buffer> = []
        request.on("data", (chunk) => chunks.push(chunk))
        request.on("end", () => {
          const seen = { method, url, headers, hosts: rawHeaders.filter((name) => name === "host").length }
          response.end(JSON.stringify({ ...seen, address: socket.remoteAddress, body: String(Buffer.concat(chunks)) }))
        })
      },
      { method: "POST", body: "text", headers: { "X-One": "1" } },
      { address: "192.0.2.1" },
    )
    const { headers, ...seen } = await answer.json()
    assert.deepStrictEqual(seen, {
      method: "POST",
      url: "/v1/a?b=%20c",
      hosts: 1,
      address: "192.0.2.1",
      body: "text",
    })
    const { "x-one": one, host, "transfer-encoding": coding } = headers
    assert.deepStrictEqual([one, host, coding], ["1", "api.example", "chunked"])
  })

  it("answers with status, headers of both forms, and a body only where there may be one", async () => {
    const both: RequestListener = (request, response) => {
      response.setHeader("vary", "Origin")
      if (request.url!.includes("b")) response.writeHead(203, ["x-a", "1", "set-cookie", "a=1"])
      response.end("body")
    }
    const answer = await ask(both)
    assert.deepStrictEqual(
      [answer.status, answer.headers.get("vary"), answer.headers.get("x-a"), await answer.text()],
      [203, "Origin", "1", "body"],
    )
    assert.strictEqual(await (await ask(both, { method: "HEAD" })).text(), "")
    const unchanged = await ask((_, response) => void response.writeHead(304, { etag: "a" }).end("no"))
    assert.deepStrictEqual([unchanged.status, unchanged.body, unchanged.headers.get("etag")], [304, null, "a"])
  })

  it("streams what comes in pieces, no faster than it is read", async () => {
    let written = 0
    const answer = await ask((_, response) => {
      const write = (): void => {
        if (written === 50) return void response.end()
        written++
        response.write("x".repeat(1_000), write)
      }
      write()
    })
    for (let turn = 0; turn < 100; turn++) await setImmediate()
    assert.isBelow(written, 5)
    assert.strictEqual((await answer.text()).length, 50_000)
  })

  it("reads no more of a body when the answer is complete", async () => {
    let pulls = 0
    const body = new ReadableStream({
      pull: (controller) => {
        pulls++
        controller.enqueue(new Uint8Array(1_000))
      },
    })
    const refuse: RequestListener = (request, response) => {
      request.once("data", () => response.writeHead(413).end("too large"))
    }
    assert.strictEqual((await ask(refuse, { method: "POST", body, duplex: "half" } as RequestInit)).status, 413)
    for (let turn = 0; turn < 200; turn++) await setImmediate()
    assert.isBelow(pulls, 50)
  })

  it("passes on that a client left, before the answer and while it streams", async () => {
    const gone = new AbortController()
    let left: Promise<void> | undefined
    const waiting = ask(
      (request) => {
        left = closed(request)
        gone.abort()
      },
      { signal: gone.signal },
    )
    assert.strictEqual((await waiting).status, 499)
    await left
    const streaming = await ask((request, response) => {
      left = closed(request)
      response.write("one")
    })
    await streaming.body!.cancel()
    await left
  })

  it("reports a body that was read before, and an answer that was cut off", async () => {
    const request = new Request("https://api.example", { method: "POST", body: "a" })
    await request.text()
    const never: RequestListener = () => assert.fail()
    assert.match(String(await fromListener(never)(request, {}).catch(String)), /The body was read before/)
    const parsed = await ask(
      (incoming, response) => {
        incoming.resume().once("end", () => {
          const step = Body.read(response, { body: 9, arriveMs: 10_000 })
          if (Step.isPending(step)) step.listen((result) => response.end(JSON.stringify(result)))
        })
      },
      { method: "POST", body: "a" },
    )
    assert.strictEqual((await parsed.json()).cause._tag, "Die")
    assert.match(String(await ask((_, response) => void response.destroy()).catch(String)), /cut off/)
    const half = await ask((_, response) => {
      response.write("half", () => response.destroy())
    })
    assert.match(await half.text().catch(String), /cut off/)
  })
})
