/**
 * Lanes as modules: ports by mode, stores, jobs, and the world that builds each once.
 *
 * @module
 */
export * as shadow from "../runtime/shadow/shadow.ts"
export { modules } from "./all.ts"
export * as LaneCommand from "./LaneCommand.ts"
export * as Module from "./LaneModule.ts"
export * as World from "./world.ts"
