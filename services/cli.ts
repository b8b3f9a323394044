#!/usr/bin/env node
import "./private.ts"
import "./stationsFile.ts"
import * as Release from "../core/release.ts"

// EPIPE: the reader (such as `head`) has enough, so exit quietly.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    process.exit()
  })
}

// Asked for by scripts and shell prompts: without loading the program.
if (process.argv.length === 3 && /^(--version|-v|version)$/.test(process.argv[2]!))
  process.stdout.write(`${Release.version}\n`)
else await import("./cli/run.ts")
