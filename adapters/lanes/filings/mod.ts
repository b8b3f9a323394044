/**
 * The filings lane's module, in development: generated in every mode.
 *
 * @module
 */
import { Filings } from "../../../core/lanes/filings/mod.ts"
import * as Module from "../LaneModule.ts"
import { layerMock } from "./mock/mod.ts"

export { layerMock }

export const module = Module.define(Filings, { mock: layerMock })
