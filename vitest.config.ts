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
    testTimeout: 30_000,
    hookTimeout: 60_000,
    minWorkers: 1,
    maxWorkers: 2,
    poolOptions: { threads: { isolate: false } },
    projects: [
      {
        extends: true,
        test: { name: "programs", include: programs, globalSetup: ["test/support/built.ts"] },
      },
      {
        extends: true,
        // The other files share two threads, which load the sources once: importing them anew took a third of the time.
        test: {
          name: "modules",
          include: ["test/**/*.test.ts"],
          exclude: [...programs, "test/runtime/deno/**"],
          pool: "threads",
        },
      },
    ],
  },
})
