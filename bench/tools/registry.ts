// `npm run bundle`: the extension for desktop clients, var/market-signals.mcpb, built and validated by the official tool.
// `npm run docs` writes server.json, the entry in the MCP registry; a test compares it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { packExtension, validateManifest } from "@anthropic-ai/mcpb"
import { prompts } from "../../adapters/describe/tools/prompts.ts"
import { paths, transportNames } from "../../adapters/describe/tools/protocol.ts"
import { list } from "../../adapters/describe/tools/tools.ts"
import { catalogue } from "../../core/lanes/all.ts"
import * as Release from "../../core/release.ts"
import { bundle, compact } from "../../services/bundle.mjs"
import { sourcesDigest } from "../../services/cache.mjs"
import { licences } from "./licences.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
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

/** A value that the client fills in: a setting of the user, or a place of its own. */
const filledIn = (name: string): string => `$\{${name}}`
const programPath = "server/mcpBundle.js"

/** The manifest of the extension (MCPB 0.4). */
export const extension = () => ({
  manifest_version: "0.4",
  name: Release.name,
  display_name: Release.name,
  version: Release.version,
  description: sentence,
  author: { name: about.author },
  repository: { type: "git", url: repository },
  homepage: about.homepage,
  support: about.bugs.url,
  icon: "icon.png",
  license: about.license,
  keywords: about.keywords,
  server: {
    type: "node",
    entry_point: programPath,
    mcp_config: {
      command: "node",
      args: [`${filledIn("__dirname")}/${programPath}`],
      env: {
        MARKET_SIGNALS_URL: filledIn("user_config.url"),
        MARKET_SIGNALS_KEY: filledIn("user_config.key"),
        MARKET_SIGNALS_STORE: filledIn("user_config.store"),
      },
    },
  },
  tools: list(catalogue).map(({ name, description }) => ({ name, description })),
  prompts: prompts.map((prompt) => {
    const given = Object.fromEntries(prompt.arguments.map(({ name }) => [name, filledIn(`arguments.${name}`)]))
    return {
      ...{ name: prompt.name, description: prompt.description, arguments: Object.keys(given) },
      text: prompt.text(given),
    }
  }),
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: about.engines.node } },
  user_config: {
    url: { type: "string", title: "Server", description: urlMeaning, required: false },
    key: { type: "string", title: "API key", description: keyMeaning, sensitive: true, required: false },
    store: {
      type: "file",
      title: "Store",
      description: "Without a server: the SQLite file of a store on this computer; the program must be installed.",
      required: false,
    },
  },
})

/** Builds the bundle. @returns its file */
export const buildExtension = async (folder: string): Promise<string> => {
  const [content, file] = [join(folder, "extension"), join(folder, `${Release.name}.mcpb`)]
  rmSync(content, { recursive: true, force: true })
  mkdirSync(content, { recursive: true })
  const own = { ...compact, sourcemap: false, splitting: false, metafile: true }
  const { metafile } = await bundle(["mcpBundle"], join(content, "server"), sourcesDigest(), own)
  writeFileSync(join(content, "server/LICENSES.txt"), licences(Object.keys(metafile?.inputs ?? {}), root))
  writeFileSync(join(content, "server/package.json"), JSON.stringify({ type: "module" }))
  cpSync(join(root, "bench/tools/icon.png"), join(content, "icon.png"))
  writeFileSync(join(content, "manifest.json"), JSON.stringify(extension(), null, 2))
  if (!validateManifest(join(content, "manifest.json"))) throw new Error("The manifest is not valid.")
  if (!(await packExtension({ extensionPath: content, outputPath: file, silent: true }))) throw new Error("Not packed.")
  return file
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await buildExtension(join(root, "var"))}\n`)
}
