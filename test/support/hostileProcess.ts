/**
 * The server, loaded but not started before a line comes in: what starts it again after a kill need not wait for its code.
 */
import { once } from "node:events"
import "../../services/app.ts"
import "../../services/jobs.ts"

process.stdout.write("loaded\n")
await once(process.stdin, "data")
process.stdin.unref()
await import("../../services/server.ts")
