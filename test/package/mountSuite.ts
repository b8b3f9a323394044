import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { bun, versions } from "../../bench/tools/runtimes/install.ts"
import { freePort } from "../support/freePort.ts"

interface Given {
  readonly folder: string
  /** Where packages of others are installed. */
  readonly installed: string
}

interface Call {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The client leaves when the body has this. */
  readonly until?: string
  /** Of the answer. */
  readonly status?: number
}

interface Answer {
  readonly status: number | undefined
  readonly headers: ReadonlyArray<string>
  readonly body: string
}

/** Headers that a host writes by itself: whether a body has its length or comes in chunks too. The client checks a length. */
const ofHost = new Set(["date", "connection", "keep-alive", "transfer-encoding", "content-length", "x-powered-by"])

const ask = (port: number, { path, method = "GET", headers = {}, body, until }: Call): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (answer) => {
      const { statusCode: status, rawHeaders: raw } = answer
      const lines = raw.flatMap((name, index) => (index % 2 === 0 ? [`${name.toLowerCase()}: ${raw[index + 1]}`] : []))
      const seen = { status, headers: lines.filter((line) => !ofHost.has(line.split(":")[0]!)).sort() }
      let text = ""
      answer.setEncoding("utf8").on("data", (chunk) => {
        text += chunk
        if (until === undefined || !text.includes(until)) return
        asked.destroy()
        resolve({ ...seen, body: text })
      })
      answer.on("end", () => resolve({ ...seen, body: text })).on("error", reject)
    })
    // An answer may come before a body is sent that nobody reads.
    asked.on("error", (error) => setTimeout(reject, 1_000, error))
    asked.end(body)
  })

const station = "/v1/weather/settlement?station=KNYC"
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" }
const html = { accept: "text/html" }

const callsOf = (rich: string, poor: string, etag: string): Readonly<Record<string, Call>> => {
  const key = { authorization: `Bearer ${rich}` }
  const mcp = (method: string, params: object): Call => ({
    path: "/mcp",
    method: "POST",
    headers: { ...key, ...json },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    status: 200,
  })
  const day = { start: "2026-01-01", end: "2026-06-30" }
  return {
    answer: { path: station, headers: key, status: 200 },
    unchanged: { path: station, headers: { ...key, "if-none-match": etag }, status: 304 },
    head: { path: station, method: "HEAD", headers: key, status: 200 },
    invalid: { path: "/v1/weather/settlement?station=NOWHERE", headers: key, status: 400 },
    keyless: { path: station, status: 401 },
    poor: { path: station, headers: { authorization: `Bearer ${poor}` }, status: 402 },
    missing: { path: "/v1/weather/settlements", headers: key, status: 404 },
    method: { path: station, method: "DELETE", headers: key, status: 405 },
    large: { path: "/mcp", method: "POST", headers: { ...key, ...json }, body: "a".repeat(70_000), status: 413 },
    preflight: {
      path: station,
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example", "access-control-request-method": "GET" },
      status: 204,
    },
    rows: {
      path: `/v1/weather/settlement/history?${new URLSearchParams({ station: "KNYC", ...day })}`,
      headers: { ...key, accept: "text/csv" },
      status: 200,
    },
    initialize: mcp("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    }),
    tools: mcp("tools/list", {}),
    tool: mcp("tools/call", { name: "weather_settlement", arguments: { station: "KNYC" } }),
    stream: { path: "/mcp/sse", headers: { accept: "text/event-stream" }, status: 401 },
    page: { path: "/", headers: html, status: 200 },
    reference: { path: "/docs", headers: html, status: 200 },
    document: { path: "/openapi.json", status: 200 },
    lostPage: { path: "/nowhere", headers: html, status: 404 },
    ready: { path: "/readyz", status: 200 },
  }
}

const first = `${Date.UTC(2026, 6, 9, 12) - 9_999}-00000000-0000-4000-8000-000000000001`

/** The events after the first one of two. */
const events = (rich: string): Call => ({
  path: "/v1/alerts/events",
  headers: { authorization: `Bearer ${rich}`, "last-event-id": first },
  until: "}\n\n",
})

/** The service in the servers of others: its answers are those of its own server. */
export const mountSuite = ({ folder, installed }: Given): void => {
  const registry = process.env["NO_REGISTRY"] === undefined
  const programs: Readonly<Record<string, () => Promise<ReadonlyArray<string>>>> = {
    deno: async () => [join(installed, ".bin/deno"), "run", "-A", "--node-modules-dir=manual"],
    bun: async () => [await bun(versions.bun), "run"],
  }

  const begin = async (host: string) => {
    const [program, ...args] = (await programs[host]?.()) ?? [process.execPath]
    const port = await freePort()
    const child: ChildProcess = spawn(program!, [...args, "hosts.mjs", host, String(port)], { cwd: folder })
    const keys = await new Promise<ReadonlyArray<string>>((resolve, reject) => {
      let output = ""
      for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (output += chunk))
      child.stdout!.on("data", () => /^\[.*\]\n/m.test(output) && resolve(JSON.parse(/^\[.*\]$/m.exec(output)![0])))
      child.once("exit", () => reject(new Error(output)))
    })
    return { child, port, rich: keys[0]!, poor: keys[1]! }
  }

  const answersOf = async (host: string) => {
    const { child, port, rich, poor } = await begin(host)
    const ended = once(child, "exit")
    try {
      const answers: Record<string, Answer> = {}
      for (const name of Object.keys(callsOf(rich, poor, ""))) {
        const etag = answers["answer"]?.headers.find((line) => line.startsWith("etag: "))?.slice("etag: ".length) ?? ""
        answers[name] = await ask(port, callsOf(rich, poor, etag)[name]!)
      }
      // An account has eight streams at a time: each of these ends with its client.
      for (let n = 0; n < 12; n++) answers["events"] = await ask(port, events(rich))
      const mine = await ask(port, { path: "/mine" })
      const below = await ask(port, { path: `/signals${station}`, headers: { authorization: `Bearer ${rich}` } })
      // The service ends: so do its streams, and the program.
      const streamed = ask(port, { ...events(rich), until: "never" })
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      child.kill("SIGTERM")
      assert.include((await streamed).body, '"alert.fired"')
      await ended
      return { answers, mine, below, statuses: callsOf(rich, poor, "") }
    } finally {
      child.kill("SIGKILL")
    }
  }

  describe("the service, mounted", { timeout: 240_000 }, () => {
    let expected: Readonly<Record<string, Answer>> = {}

    it("has a server of its own", async () => {
      cpSync(join(import.meta.dirname, "hosts.mjs"), join(folder, "hosts.mjs"))
      const { answers, statuses } = await answersOf("own")
      for (const [name, { status }] of Object.entries(statuses)) assert.strictEqual(answers[name]!.status, status, name)
      assert.isTrue(answers["events"]!.body.includes("000000000002") && !answers["events"]!.body.includes(first))
      expected = answers
    })

    it("is mounted by the guide's program, which answers and streams where it says", async () => {
      // The runner has a BASE_URL of its own.
      const child = spawn(process.execPath, ["out/mount.js"], { cwd: folder, env: { PORT: "0" } })
      let lines = ""
      for await (const chunk of child.stdout) {
        lines += chunk
        if (lines.includes("/mcp/sse")) break
      }
      const [call, stream] = [...lines.matchAll(/Bearer (\w+)" .*"(http.*)"/g)]
      const fetched = ([, key, url]: ReadonlyArray<string> = []) =>
        fetch(url!, { headers: { authorization: `Bearer ${key}` } })
      const answer = await fetched(call)
      assert.deepStrictEqual([answer.status, (await answer.json())._meta.price.charged_micros > 0], [200, true])
      const events = (await fetched(stream)).body!.getReader()
      assert.match(Buffer.from((await events.read()).value!).toString(), /^event: endpoint\ndata: \/mcp\/messages\?/)
      child.kill("SIGTERM")
      assert.isTrue((await events.read()).done)
      assert.deepStrictEqual(await once(child, "exit"), [0, null])
    })

    it.each(["node", "express", "hono", "next", "deno", ...(registry ? ["bun"] : [])])(
      "answers in %s as in its own server, byte for byte",
      async (host) => {
        const { answers, mine, below } = await answersOf(host)
        for (const [name, answer] of Object.entries(expected)) assert.deepStrictEqual(answers[name], answer, name)
        const isRouted = host === "express" || host === "hono"
        if (isRouted) assert.strictEqual(mine.body, "mine")
        assert.strictEqual(below.status, isRouted ? 200 : 404)
      },
    )
  })
}
