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

/** The same for a package that is not installed. */
export const bridgeByNpx = (baseUrl: string) => ({ command: "npx", args: ["-y", Release.name, ...remoteArgs(baseUrl)] })

/** Over stdio, from a remote server. */
export const overStdio = (baseUrl: string, key: string) =>
  underName({ ...bridge(baseUrl), env: { MARKET_SIGNALS_KEY: key } })

/** Over stdio, on a store, without a server. */
export const onStore = (file: string, key: string) =>
  underName({ command: Release.name, args: ["mcp"], env: { DATABASE_URL: `sqlite:${file}`, MARKET_SIGNALS_KEY: key } })

/** The settings as a client's file has them. */
export const textOf = (servers: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ mcpServers: servers }, null, 2)

/** A command as a line of a shell. */
export const lineOf = ({ command, args }: ReturnType<typeof bridge>): string => [command, ...args].join(" ")
