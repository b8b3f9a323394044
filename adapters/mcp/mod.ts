/**
 * The catalogue as tools of the Model Context Protocol.
 *
 * @module
 */
export { call, type Result, type Tool, tools } from "./tools.ts"
