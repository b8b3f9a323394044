import { chai } from "vitest"

// Chai's proxies find a misspelt assertion, as the compiler does, and make every assertion four times slower.
chai.config.useProxy = false
