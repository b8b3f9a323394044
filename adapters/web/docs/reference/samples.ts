import { type Any as AnyCatalogue, live } from "../../../../core/endpoint/Catalogue.ts"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { type Call, curlOnPage } from "../../../describe/operation.ts"

const indented = (value: unknown): string => JSON.stringify(value, null, 2)

/** `{ station: "KNYC" }`: an object as TypeScript. */
const literal = (value: Readonly<Record<string, unknown>>): string => {
  const fields = Object.entries(value).map(([name, each]) => `${name}: ${JSON.stringify(each)}`)
  return fields.length === 0 ? "" : `{ ${fields.join(", ")} }`
}

/** `{"station": "KNYC"}`: JSON with Python's words. */
const python = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(python).join(", ")}]`
    : value === null
      ? "None"
      : typeof value === "boolean"
        ? value
          ? "True"
          : "False"
        : typeof value === "object"
          ? `{${Object.entries(value)
              .map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`)
              .join(", ")}}`
          : JSON.stringify(value)

/**
 * A call as curl, TypeScript, Python and MCP.
 *
 * @param key written into the samples; absent: a placeholder is
 */
export const makeSamples = (
  call: Call,
  baseUrl: string,
  key?: string,
): Readonly<Record<"curl" | "TypeScript" | "Python" | "MCP", string>> => {
  const { id, auth } = call
  const example = call.example as Readonly<Record<string, unknown>>
  const needsKey = auth === "key"
  const named = Object.entries(example).map(([name, value]) => `${name === "from" ? "from_" : name}=${python(value)}`)
  return {
    curl: curlOnPage(call, baseUrl).replace("$MARKET_SIGNALS_KEY", (name) => key ?? name),
    TypeScript: [
      'import { makeClient } from "market-signals/client"',
      "",
      `const client = makeClient({ baseUrl: "${baseUrl}"${needsKey ? `, key: ${JSON.stringify(key ?? "svk_…")}` : ""} })`,
      `const ${needsKey ? "{ results }" : "results"} = await client.${id}(${literal(example)})`,
    ].join("\n"),
    Python: [
      "from market_signals import Client",
      "",
      `client = Client("${baseUrl}"${needsKey ? `, key=${JSON.stringify(key ?? "svk_…")}` : ""})`,
      `results = client.${id}(${named.join(", ")}).results`,
    ].join("\n"),
    MCP: indented({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: id, arguments: example } }),
  }
}

/** The endpoint for examples: the first signal, else the first endpoint. */
export const chooseShown = (catalogue: AnyCatalogue): Endpoint.Any | undefined => {
  const all = live(catalogue).map(({ endpoint }) => endpoint)
  return all.find(({ kind }) => kind === "Signal") ?? all[0]
}
