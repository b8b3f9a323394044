import { defineConfig } from "vitest/config"

/** Tests that start programs, kill them, or measure their own process: each file runs in a process of its own. */
const programs = [
  "test/*.test.ts",
  "test/bench/**/*.test.ts",
  "test/security/**/*.test.ts",
  "test/services/**/*.test.ts",
  "test/adapters/**/{crash,recordCrash,fsync,lifetime,verifier}.test.ts",
]

export default defineConfig({
  test: {
    globalSetup: ["test/support/built.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    minWorkers: 1,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: "programs", include: programs },
      },
      {
        extends: true,
        // `npm test` runs the other files without isolation: two processes load the sources once, not each file anew.
        test: {
          name: "modules",
          include: ["test/**/*.test.ts"],
          exclude: [...programs, "test/runtime/deno/**"],
        },
      },
    ],
  },
})
