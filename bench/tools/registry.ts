// The entry in the MCP registry, server.json, which `npm run docs` writes.
import { readFileSync } from "node:fs"
import { paths, transportNames } from "../../adapters/describe/tools/protocol.ts"
import * as Release from "../../core/release.ts"

const about = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
const repository: string = about.repository.url.replace(/^git\+|\.git$/g, "")

const sentence = "Market data and model signals, priced per call: weather, sports, crypto, prediction markets."
const urlMeaning = "Address of a market-signals server, such as https://api.example.com."
const keyMeaning = "API key of the server; tools that need none are marked."

/** The entry in the MCP registry, of its schema 2025-12-11. */
export const registryEntry = () => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: about.mcpName,
  title: Release.name,
  description: sentence,
  version: Release.version,
  repository: { url: repository, source: "github" },
  websiteUrl: about.homepage,
  // The registry asks npm for the package.
  ...(Release.isPublished && {
    packages: [
      {
        registryType: "npm",
        identifier: about.name,
        version: Release.version,
        runtimeHint: "npx",
        transport: { type: transportNames.stdio },
        packageArguments: [{ type: "positional", value: "mcp" }],
        environmentVariables: [
          { name: "MARKET_SIGNALS_URL", description: urlMeaning, isRequired: true, format: "string" },
          { name: "MARKET_SIGNALS_KEY", description: keyMeaning, isSecret: true, format: "string" },
        ],
      },
    ],
  }),
  remotes: [
    {
      type: transportNames.streamable,
      url: `https://{host}${paths.streamable}`,
      variables: { host: { description: "Host of a market-signals server.", isRequired: true } },
      headers: [
        {
          ...{ name: "Authorization", description: keyMeaning, isSecret: true, value: "Bearer {key}" },
          variables: { key: { description: keyMeaning, isSecret: true } },
        },
      ],
    },
  ],
})

export const entryText = (): string => `${JSON.stringify(registryEntry(), null, 2)}\n`
