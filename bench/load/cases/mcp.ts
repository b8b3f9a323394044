// MCP over streamable HTTP with the whole catalogue: `tools/call` of the crypto signal and `tools/list`, in the protocol's form of 2025
// (an event stream) and of 2026 (JSON), each beside the plain HTTP call of the same server. `--before DIR` adds another build.
import { define } from "../driver.ts"
import { alternate, drive, type Load, medians, warm } from "../measure.ts"
import * as Questions from "../questions.ts"
import { ours } from "../servers.ts"

type Params = Readonly<Record<string, unknown>>
type Form = "2025" | "2026"

const post = { "content-type": "application/json", accept: "application/json, text/event-stream" }

/** A message as clients of 2025 send it, or with the envelope and headers of 2026. */
const message = (form: Form, method: string, params: Params, id: number): Questions.Question => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  }
  const { name } = params
  const headers: Record<string, string> =
    form === "2025"
      ? { ...post, "mcp-protocol-version": "2025-11-25" }
      : {
          ...post,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof name === "string" ? { "mcp-name": name } : {}),
        }
  const body = { jsonrpc: "2.0", id, method, params: form === "2025" ? params : { ...params, _meta } }
  return { method: "POST", path: "/mcp", headers, body: JSON.stringify(body) }
}

/** The tool's arguments of a question's query. */
const toolArguments = (path: string): Params => {
  const query = new URLSearchParams(path.slice(path.indexOf("?") + 1))
  const [asset, strikes] = [query.get("asset"), query.get("strikes")]
  const horizon_minutes = Number(query.get("horizon_minutes"))
  return { asset, horizon_minutes, ...(strikes === null ? {} : { strikes: strikes.split(",").map(Number) }) }
}

const calls = (form: Form) => () => {
  const next = Questions.plain()
  let id = 0
  return () => message(form, "tools/call", { name: "crypto_signal", arguments: toolArguments(next().path) }, ++id)
}
const lists = (form: Form) => () => {
  let id = 0
  return () => message(form, "tools/list", {}, ++id)
}

const kinds: ReadonlyArray<{ readonly name: string; readonly questions: () => Questions.Questions }> = [
  { name: "HTTP call", questions: Questions.plain },
  { name: "tools/call 2025", questions: calls("2025") },
  { name: "tools/call 2026", questions: calls("2026") },
  { name: "tools/list 2025", questions: lists("2025") },
  { name: "tools/list 2026", questions: lists("2026") },
]

export const load = define(
  { rounds: [5, 1], seconds: [2, 1], warm: [20, 1], before: "" },
  async ({ options, folder, print, row }) => {
    const { rounds, seconds, warm: warmUp, before } = options
    const servers = [
      await ours(folder),
      ...(before === "" ? [] : [await ours(folder, { name: "before", build: before })]),
    ]
    const parties = servers.flatMap((server) => kinds.map((kind) => ({ server, ...kind })))
    const keyed = ({ server: { key }, questions }: (typeof parties)[number]) => {
      const next = questions()
      return () => ({ ...next(), key })
    }
    for (const party of parties) {
      // A failed tool call has status 200: one answer of each kind is read before it is measured.
      const { path, key, method = "GET", headers, body } = keyed(party)()
      const request = { method, headers: { ...headers, authorization: `Bearer ${key}` } }
      const answer = await fetch(party.server.url + path, body === undefined ? request : { ...request, body })
      const text = await answer.text()
      if (!answer.ok || /"isError":true|"error":/.test(text)) throw new Error(`${party.name}: ${text}`)
      if (party.name === kinds[0]!.name) await warm(party.server, warmUp, keyed(party))
      await drive([party.server], 32, { duration: seconds }, keyed(party))
    }
    print(`store in ${folder}; 32 connections, medians of ${rounds} rounds of ${seconds} s; ms, CPU in µs a call`)
    const all = await alternate(parties, rounds, (party) =>
      drive([party.server], 32, { duration: seconds }, keyed(party)),
    )
    let plain: Load | undefined
    for (const [n, { name, server }] of parties.entries()) {
      const middle = medians(all[n]!)
      if (name === kinds[0]!.name) plain = middle
      const { perSecond, p50, p99, cpu } = middle
      const figures = { "calls/s": perSecond, p50, p99, CPU: cpu, "× HTTP": perSecond / plain!.perSecond }
      const isHeld = server === servers[0] && name.startsWith("tools/call")
      row(`${name}, ${server.name}`, figures, isHeld ? { "calls/s": { least: 2_000 } } : {})
    }
  },
)
