import * as Release from "../../core/release.ts"
import { type Call, curlOnPage } from "./operation.ts"
import { paths } from "./tools/protocol.ts"

/*
 * The files of a server, and the lines that connect each client to it, for every document that shows them. Anybody could
 * register a free name and run a program with the reader's key: until a build is published, each line names a file of the
 * server itself.
 */

/** The page of clients; the files are below its path. */
export const path = "/install"

/** The version in the notation of PEP 440. */
export const pythonVersion: string = Release.version.replace(/-dev$/, ".dev0")

/** The files that are handed out. The bridge has the same name in each version, because settings of clients contain it. */
export const files = {
  bridge: `${Release.name}-mcp.tgz`,
  extension: `${Release.name}.mcpb`,
  package: `${Release.name}-${Release.version}.tgz`,
  wheel: `${Release.name.replace("-", "_")}-${pythonVersion}-py3-none-any.whl`,
  notebook: "research.ipynb",
  bill: "sbom.cdx.json",
  sums: "SHA256SUMS",
} as const

export type FileName = keyof typeof files

export const filePath = (name: FileName): string => `${path}/${files[name]}`

const underName = <Server>(server: Server) => ({ [Release.name]: server }) as { readonly "market-signals": Server }

export const overHttp = (baseUrl: string, key: string) =>
  underName({ type: "http", url: `${baseUrl}${paths.streamable}`, headers: { Authorization: `Bearer ${key}` } })

/** npx caches a URL's package but revalidates it at each start, and retries for over a minute while the server is down. */
const npxOptions = ["-y", "--prefer-offline", "--fetch-retries=0", "--fetch-timeout=20000"]

/** The command that serves the tools of a server over stdio; the key is in its environment. */
export const bridge = (baseUrl: string) => ({
  command: "npx",
  args: [...npxOptions, `${baseUrl}${filePath("bridge")}?version=${Release.version}`, "--url", baseUrl],
})

const unpackedBridge = (baseUrl: string, key: string) =>
  underName({
    command: "node",
    args: ["/path/to/package/bridge.js", "--url", baseUrl],
    env: { MARKET_SIGNALS_KEY: key },
  })

/** Over stdio, from a remote server. */
export const overStdio = (baseUrl: string, key: string) =>
  underName({ ...bridge(baseUrl), env: { MARKET_SIGNALS_KEY: key } })

/** Over stdio, on a store, without a server. */
export const onStore = (file: string, key: string) =>
  underName({ command: Release.name, args: ["mcp"], env: { DATABASE_URL: `sqlite:${file}`, MARKET_SIGNALS_KEY: key } })

export const settingsText = (servers: Readonly<Record<string, unknown>>, name = "mcpServers"): string =>
  JSON.stringify({ [name]: servers }, null, 2)

/** The placeholder of a key in settings to copy. */
export const keyPlace = "<API key>"

/** The package names or URLs for npm and pip. */
export const installable = (baseUrl: string) =>
  Release.isPublished
    ? { npm: `${Release.name}@${Release.version}`, pip: `${Release.name}==${pythonVersion}` }
    : { npm: `${baseUrl}${filePath("package")}`, pip: `${baseUrl}${filePath("wheel")}` }

/** How a client uses a server. */
export interface Client {
  readonly name: string
  /** A sentence; backticks are code. */
  readonly about: string
  /** A shell command to run first. */
  readonly install?: string
  readonly text: string
  readonly lang: "sh" | "json" | "ts" | "py"
  /** A link that installs it with one click. */
  readonly link?: { readonly label: string; readonly href: string }
}

export interface Given {
  readonly baseUrl: string
  /** Written into each line. */
  readonly key: string
  /** The call that is shown; absent: the server sells none. */
  readonly call: Call | undefined
  /** Whether the server has a path: a client whose file it lacks is left out. */
  readonly served: (path: string) => boolean
}

const listArguments = ({ example }: Call, form: (name: string, value: string) => string): string =>
  Object.entries(example as Readonly<Record<string, unknown>>)
    .map(([name, value]) => form(name, JSON.stringify(value)))
    .join(", ")

/** Clients that speak HTTP. */
const callers = ({ baseUrl, key, call, served }: Given): ReadonlyArray<Client> => {
  if (call === undefined) return []
  const { npm, pip } = installable(baseUrl)
  const typed = listArguments(call, (name, value) => `${name}: ${value}`)
  const python: Client = {
    name: "Python",
    about: "Python 3.11 and later, of the standard library alone; typed. Lists become data frames of pandas or polars.",
    install: `pip install "${pip}"`,
    text: [
      "from market_signals import Client",
      "",
      `client = Client("${baseUrl}", key="${key}")`,
      `print(client.${call.id}(${listArguments(call, (name, value) => `${name}=${value}`)}).results)`,
    ].join("\n"),
    lang: "py",
  }
  const library: Client = {
    name: "TypeScript",
    about: "For Node, Deno, Bun and browsers; each endpoint is a method. The package also has the core, to embed.",
    install: `npm install ${npm} effect@3`,
    text: [
      'import { makeClient } from "market-signals/client"',
      "",
      `const client = makeClient({ baseUrl: "${baseUrl}", key: "${key}" })`,
      `${printing}((await client.${call.id}({ ${typed} })).results)`,
    ].join("\n"),
    lang: "ts",
  }
  return [
    {
      name: "curl",
      about: "One GET with a key in the header.",
      text: curlOnPage(call, baseUrl).replace("$MARKET_SIGNALS_KEY", key),
      lang: "sh",
    },
    ...(Release.isPublished || served(filePath("package")) ? [library] : []),
    ...(Release.isPublished || served(filePath("wheel")) ? [python] : []),
  ]
}

/** The function by which example programs print. */
const printing = ["console", "log"].join(".")

/** Clients of the Model Context Protocol. */
const hosts = ({ baseUrl, key, served }: Given): ReadonlyArray<Client> => {
  if (!served(paths.streamable)) return []
  const http = overHttp(baseUrl, key)
  const { url, headers } = http[Release.name]
  const settings = { url, headers }
  const named = JSON.stringify({ name: Release.name, type: "http", ...settings })
  const desktop: ReadonlyArray<Client> = [
    {
      name: "Claude Desktop",
      about:
        "Open the extension, which asks for the key. Or unpack the bridge, and add this with its path to `claude_desktop_config.json`; it needs Node 20 or later.",
      install: `curl -sS ${baseUrl}${filePath("bridge")} | tar -xz`,
      text: settingsText(unpackedBridge(baseUrl, key)),
      lang: "json",
      link: { label: `Download ${files.extension}`, href: filePath("extension") },
    },
    {
      name: "npx",
      about: "Without a file of your own: npm fetches the bridge once per version, which takes seconds.",
      text: settingsText(overStdio(baseUrl, key)),
      lang: "json",
    },
  ]
  return [
    {
      name: "Claude Code",
      about: "Every endpoint as a tool, with its price.",
      text: `claude mcp add --transport http ${Release.name} ${url} --header "Authorization: ${headers.Authorization}"`,
      lang: "sh",
    },
    ...(served(filePath("bridge")) ? desktop : []),
    {
      name: "Cursor",
      about: "Install it by the link, or add this to `~/.cursor/mcp.json`. Most other clients read the same settings.",
      text: settingsText(http),
      lang: "json",
      link: {
        label: "Install in Cursor",
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${Release.name}&config=${encodeURIComponent(btoa(JSON.stringify(settings)))}`,
      },
    },
    {
      name: "VS Code",
      about: "Install it by the link or by this command.",
      text: `code --add-mcp '${named}'`,
      lang: "sh",
      link: { label: "Install in VS Code", href: `vscode:mcp/install?${encodeURIComponent(named)}` },
    },
  ]
}

/** The clients of a server, each with its text to copy. */
export const clients = (given: Given): ReadonlyArray<Client> => [...callers(given), ...hosts(given)]
