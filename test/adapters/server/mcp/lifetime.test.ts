import { assert, describe, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Controlled from "../http/controlled.ts"
import { atOnce } from "../http/exchange.ts"
import { moment, pass, reached, refused, slow, wallet } from "../http/moments.ts"
import { connect, overHttp, type Way } from "./clients.ts"

const ways = Object.entries(overHttp)
const paid = { name: "controlled_paid", arguments: {} }

const begin = async (
  behaviour: Controlled.Behaviour,
  way: Way,
  options: Parameters<typeof Controlled.start>[1] = {},
) => {
  const service = await Controlled.start(behaviour, options)
  const client = await connect(service.url, way, service.authorization.slice("Bearer ".length))
  return { service, client }
}

const codeOf = ({ content }: Awaited<ReturnType<Client["callTool"]>>): string =>
  JSON.parse((content as unknown as readonly [{ text: string }])[0].text).error.code

describe.each(ways)("%s: a client", (_, way) => {
  it("that gives a call up before its charge interrupts it and pays nothing", async () => {
    const call = slow()
    const { service, client } = await begin({ paid: call.paid }, way)
    const abort = new AbortController()
    const given = client.callTool(paid, { signal: abort.signal }).catch(() => "given up")
    await reached(call.began)
    // Without sessions a cancellation of 2025 cannot be delivered: that client has to disconnect.
    if (way === "2025-11-25") await client.close()
    else abort.abort()
    assert.strictEqual(await given, "given up")
    await reached(call.interrupted)
    assert.strictEqual(await service.balance(), 10_000)
    await client.close()
    await service.stop()
  })

  it("that goes away while the charge is written has paid once", async () => {
    const began = moment()
    const release = moment()
    const ledger = wallet(Effect.zipRight(Deferred.succeed(began, undefined), Deferred.await(release)))
    const { service, client } = await begin({ ledger }, way)
    const abort = new AbortController()
    const given = client.callTool(paid, { signal: abort.signal }).catch(() => "given up")
    await reached(began)
    abort.abort()
    await given
    await client.close()
    await pass(release)
    // Shutdown waits for the running charge.
    await service.stop()
    assert.strictEqual(await service.balance(), 9_000)
  })

  it("is informed of a timed-out call and pays nothing", async () => {
    const call = slow()
    const { service, client } = await begin({ paid: call.paid }, way, { limits: { answerMs: 500 } })
    const result = await client.callTool(paid)
    assert.deepStrictEqual([result.isError, codeOf(result)], [true, "request_timeout"])
    await reached(call.interrupted)
    assert.strictEqual(await service.balance(), 10_000)
    await client.close()
    await service.stop()
  })

  it("that asks for progress gets notifications while its call waits, and pays once", async () => {
    const call = slow()
    const { service, client } = await begin({ paid: call.paid }, way)
    const received: Array<number> = []
    const answer = client.callTool(paid, { onprogress: ({ progress }) => void received.push(progress) })
    await reached(call.began)
    while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    await pass(call.release)
    assert.isUndefined((await answer).isError)
    assert.deepStrictEqual(received, [1, 2])
    assert.strictEqual(await service.balance(), 9_000)
    await client.close()
    await service.stop()
  })

  it("is answered by a server that has been asked to end, which then ends at once", async () => {
    const call = slow()
    const { service, client } = await begin({ paid: call.paid }, way)
    const answer = client.callTool(paid)
    await reached(call.began)
    const stopped = service.stop()
    await refused(service.url)
    await pass(call.release)
    assert.deepStrictEqual((await answer).structuredContent?.["results" as never], { word: "said" } as never)
    await atOnce(() => stopped)
    assert.strictEqual(await service.balance(), 9_000)
    await client.close()
  })

  it("that calls a hundred times leaves no listeners behind", async () => {
    const { service, client } = await begin({ balance: 1_000_000 }, way)
    const warnings: Array<string> = []
    const note = ({ name }: Error) => void warnings.push(name)
    process.on("warning", note)
    for (let n = 0; n < 100; n++) assert.isUndefined((await client.callTool(paid)).isError)
    process.off("warning", note)
    assert.deepStrictEqual(warnings, [])
    assert.strictEqual(await service.balance(), 900_000)
    await client.close()
    await service.stop()
  })
})

it("a stream of events that owes nothing ends with the server", async () => {
  const { service, client } = await begin({}, "sse")
  const closed = new Promise<void>((resolve) => {
    client.onerror = () => resolve()
  })
  await atOnce(service.stop)
  await closed
  await client.close()
})
