import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/runtime/deno/**"],
    globalSetup: ["test/support/built.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    minWorkers: 1,
    maxWorkers: 2,
  },
})
