/**
 * The catalogue as tools of the Model Context Protocol, over standard input and output and over HTTP.
 *
 * @module
 */

export * as Protocol from "../../describe/tools/protocol.ts"
export { list, type Tool } from "../../describe/tools/tools.ts"
export * as Toolsets from "../../describe/tools/toolsets.ts"
export { make as makeHttp, type Options as HttpOptions, serve as serveHttp } from "./http.ts"
export { make as makeResources, type Resource, type Resources, type Site } from "./resources.ts"
export { type MakeServer, make as makeServer, type Options as ServerOptions } from "./server.ts"
export { type Options as StdioOptions, serve as serveStdio } from "./stdio.ts"
export { make as makeTools, type Result } from "./tools.ts"
