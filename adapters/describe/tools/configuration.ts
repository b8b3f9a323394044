import * as Release from "../../../core/release.ts"
import { paths } from "./protocol.ts"

/*
 * The settings of MCP clients, for every document that shows them.
 */

const underName = <Server>(server: Server) => ({ [Release.name]: server }) as { readonly "market-signals": Server }

/** Over HTTP. */
export const overHttp = (baseUrl: string, key: string) =>
  underName({ type: "http", url: `${baseUrl}${paths.streamable}`, headers: { Authorization: `Bearer ${key}` } })

/** The arguments of the program that serves the tools of a remote server over stdio. */
const remoteArgs = (baseUrl: string): Array<string> => ["mcp", "--url", baseUrl]

/** The command of the installed package that does so, without a key. */
export const bridge = (baseUrl: string) => ({ command: Release.name, args: remoteArgs(baseUrl) })

/** What `npm install` takes: a name that nobody owns would be anybody's program, with the reader's key. */
export const installable = Release.isPublished ? Release.name : `./${Release.name}-${Release.version}.tgz`

/** How the command of the settings gets there; empty: the settings fetch it. */
export const installFirst = Release.isPublished
  ? ""
  : `Install the program first: npm install --global ${installable}, which npm pack makes in a checkout.`

/** The same from a checkout, in its folder. */
export const inCheckout = (baseUrl: string, cwd: string) => ({
  command: "npm",
  args: ["run", "--silent", "mcp", "--", ...remoteArgs(baseUrl).slice(1)],
  cwd,
})

/** Over stdio, from a remote server. */
export const overStdio = (baseUrl: string, key: string) =>
  underName({
    ...(Release.isPublished ? { command: "npx", args: ["-y", Release.name, ...remoteArgs(baseUrl)] } : bridge(baseUrl)),
    env: { MARKET_SIGNALS_KEY: key },
  })

/** The place of a key in settings to copy. */
export const keyPlace = "<API key>"

/** Links that install the tools of a remote server in an editor; the key is filled in there. */
export const editorLinks = (baseUrl: string) => {
  const { url, headers } = overHttp(baseUrl, keyPlace)["market-signals"]
  const settings = { url, headers }
  return {
    Cursor: `cursor://anysphere.cursor-deeplink/mcp/install?name=${Release.name}&config=${encodeURIComponent(btoa(JSON.stringify(settings)))}`,
    "Visual Studio Code": `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: Release.name, type: "http", ...settings }))}`,
  } as const
}

/** The command that adds the tools of a remote server to Claude Code. */
export const claudeCode = (baseUrl: string, key: string): string => {
  const { url, headers } = overHttp(baseUrl, key)["market-signals"]
  return `claude mcp add --transport http ${Release.name} ${url} --header "Authorization: ${headers.Authorization}"`
}

/** Over stdio, on a store, without a server. */
export const onStore = (file: string, key: string) =>
  underName({ command: Release.name, args: ["mcp"], env: { DATABASE_URL: `sqlite:${file}`, MARKET_SIGNALS_KEY: key } })

/** The settings as a client's file has them. */
export const textOf = (servers: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ mcpServers: servers }, null, 2)

/** A command as a line of a shell. */
export const lineOf = ({ command, args }: ReturnType<typeof bridge>): string => [command, ...args].join(" ")
