/**
 * The filings lane's module, in development: generated in every mode.
 *
 * @module
 */
import { Filings } from "../../../core/lanes/filings/mod.ts"
import * as Module from "../LaneModule.ts"
import { mock } from "./mock/mod.ts"

export { mock }

export const module = Module.define(Filings, { mock })
