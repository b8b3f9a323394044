/**
 * The catalogue as tools of the Model Context Protocol over HTTP; the command `mcp` passes standard input and output to it.
 *
 * @module
 */

export * as Protocol from "../../describe/tools/protocol.ts"
export { type Entry as ToolEntry, list as listTools, type Tool } from "../../describe/tools/tools.ts"
export * as Toolsets from "../../describe/tools/toolsets.ts"
export { make as makeHttp, type Options as HttpOptions, serve as serveHttp } from "./http.ts"
export { make as makeResources, type Resource, type Resources, type Site } from "./resources.ts"
export { type MakeServer, make as makeServer, type Options as ServerOptions } from "./server.ts"
export { make as makeTools, type Result as ToolResult } from "./tools.ts"
