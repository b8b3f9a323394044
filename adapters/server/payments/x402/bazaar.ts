import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import * as JsonSchema from "../../../../core/endpoint/jsonSchema.ts"
import type { Tool } from "../../../describe/tools/tools.ts"

/*
 * The extension `bazaar` of x402: how to call what is sold, so that facilitators can list it. `schema` describes `info`.
 */

type Json = Readonly<Record<string, unknown>>

const literal = (value: string): Json => ({ type: "string", const: value })

const extension = (info: Json, input: Json, required: ReadonlyArray<string>): Json => ({
  bazaar: {
    info: { input: info, output: { type: "json" } },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        input: { type: "object", properties: input, required: ["type", ...required], additionalProperties: false },
        output: { type: "object", properties: { type: literal("json") }, required: ["type"] },
      },
      required: ["input"],
    },
  },
})

export const endpointExtension = (endpoint: Endpoint.Any): Json => {
  const { $schema: _, ...params } = JsonSchema.of(endpoint.params)
  const method = Endpoint.methodOf(endpoint)
  const [place, type] = method === "GET" ? (["queryParams", {}] as const) : (["body", { bodyType: "json" }] as const)
  return extension(
    { type: "http", method, ...type, [place]: endpoint.example },
    {
      type: literal("http"),
      method: { type: "string", enum: [method] },
      ...(method === "GET" ? {} : { bodyType: literal("json") }),
      [place]: params,
    },
    ["method"],
  )
}

export const toolExtension = ({ name, description, inputSchema }: Tool, example: unknown): Json =>
  extension(
    { type: "mcp", toolName: name, description, transport: "streamable-http", inputSchema, example },
    {
      ...{ type: literal("mcp"), toolName: literal(name), description: { type: "string" } },
      ...{ transport: literal("streamable-http"), inputSchema: { type: "object" }, example: inputSchema },
    },
    ["toolName", "inputSchema"],
  )
