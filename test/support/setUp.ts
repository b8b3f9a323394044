import { afterEach, chai } from "vitest"
import { checkReuse } from "../../core/Step.ts"

// Chai's proxies find a misspelt assertion, as the compiler does, and make every assertion four times slower.
chai.config.useProxy = false

checkReuse()

// A process that computes for a minute without a turn of its event loop reads no answer of Vitest's, which ends the run.
afterEach(() => new Promise<void>((resolve) => setImmediate(resolve)))
