import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Release from "../../../core/release.ts"
import { prompts } from "../../describe/tools/prompts.ts"
import { list } from "../../describe/tools/tools.ts"

/** The fields of a package's manifest. */
export interface Manifest {
  readonly author: string
  readonly bugs: string
  readonly homepage: string
  readonly keywords: ReadonlyArray<string>
  readonly license: string
  readonly engines: { readonly node: string }
  readonly files: ReadonlyArray<string>
}

/** A value that the client fills in: a setting of the user, or the extension's own folder. */
const filledIn = (name: string): string => `$\{${name}}`

export const programFolder = "server"

/** The manifest of the extension for desktop clients (MCPB 0.4), whose server is filled in. */
export const extension = (about: Manifest, catalogue: Catalogue.Any, baseUrl: string) => ({
  manifest_version: "0.4",
  name: Release.name,
  display_name: Release.name,
  version: Release.version,
  description: Release.description,
  author: { name: about.author },
  homepage: about.homepage,
  support: about.bugs,
  icon: "icon.png",
  license: about.license,
  keywords: about.keywords,
  server: {
    type: "node",
    entry_point: `${programFolder}/bridge.js`,
    mcp_config: {
      command: "node",
      args: [`${filledIn("__dirname")}/${programFolder}/bridge.js`],
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
    url: { type: "string", title: "Server", description: "Address of the server.", default: baseUrl, required: false },
    key: {
      type: "string",
      title: "API key",
      description: "API key of the server; tools that need none are marked.",
      sensitive: true,
      required: false,
    },
    store: {
      type: "file",
      title: "Store",
      description: "Without a server: the SQLite file of a store on this computer; the program must be installed.",
      required: false,
    },
  },
})
