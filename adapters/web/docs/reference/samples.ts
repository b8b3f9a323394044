import { type Any as AnyCatalogue, live } from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { curl as curlOf } from "../../../describe/operation.ts"

/** A call to show, with the parameters of its example. */
export interface Shown {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly needsKey: boolean
  readonly example: Readonly<Record<string, unknown>>
  readonly curl: string
}

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
 * @param key written into the samples; absent: they read it from the environment or leave it out
 */
export const makeSamples = (
  { curl, id, method, path, needsKey, example }: Shown,
  baseUrl: string,
  key?: string,
): Readonly<Record<"curl" | "TypeScript" | "Python" | "MCP", string>> => {
  const isBody = method === "POST"
  const isRead = needsKey && key === undefined
  const bearer = isRead ? "f\"Bearer {os.environ['MARKET_SIGNALS_KEY']}\"" : JSON.stringify(`Bearer ${key}`)
  const headers = needsKey ? `headers={"Authorization": ${bearer}}` : ""
  const given =
    Object.keys(example).length === 0
      ? ""
      : isBody
        ? `json=${python(example)}`
        : `params=${python(Object.fromEntries(Object.entries(example).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value])))}`
  const call = [`"${baseUrl}${path}"`, given, headers].filter((each) => each !== "")
  return {
    curl: key === undefined ? curl : curl.replace("$MARKET_SIGNALS_KEY", () => key),
    TypeScript: [
      'import { make } from "market-signals/client"',
      "",
      `const client = make({ baseUrl: "${baseUrl}"${needsKey ? `, key: ${JSON.stringify(key ?? "svk_…")}` : ""} })`,
      `const ${needsKey ? "{ results }" : "results"} = await client.${id}(${literal(example)})`,
    ].join("\n"),
    Python: [
      ...(isRead ? ["import os"] : []),
      "import httpx",
      "",
      `answer = httpx.${method.toLowerCase()}(`,
      ...call.map((each) => `    ${each},`),
      ")",
      `results = answer.raise_for_status().json()${needsKey ? '["results"]' : ""}`,
    ].join("\n"),
    MCP: indented({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: id, arguments: example } }),
  }
}

/** The endpoint that shows best what is sold: the first signal, else the first endpoint. */
export const chooseShown = (catalogue: AnyCatalogue): Endpoint.Any | undefined => {
  const all = live(catalogue).map(({ endpoint }) => endpoint)
  return all.find(({ kind }) => kind === "Signal") ?? all[0]
}

/** An endpoint's example as curl, TypeScript, Python and MCP. */
export const samplesOfEndpoint = (endpoint: Endpoint.Any, baseUrl: string, key?: string) =>
  makeSamples(
    {
      id: endpoint.id,
      method: Endpoint.methodOf(endpoint),
      path: endpoint.path,
      needsKey: endpoint.auth === "key",
      example: endpoint.example as Readonly<Record<string, unknown>>,
      curl: curlOf(endpoint, baseUrl),
    },
    baseUrl,
    key,
  )
