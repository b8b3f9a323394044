import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], exclude: ["test/runtime/deno/**"], testTimeout: 20_000, hookTimeout: 30_000 },
})
