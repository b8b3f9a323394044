import { chai } from "vitest"
import { checkReuse } from "../../core/Step.ts"

// Chai's proxies find a misspelt assertion, as the compiler does, and make every assertion four times slower.
chai.config.useProxy = false

checkReuse()
