#!/usr/bin/env node
import "./private.ts"
import "./stationsFile.ts"
import "./brokenPipe.ts"
import * as Release from "../core/release.ts"

// Scripts and shell prompts ask for it often: answered without loading the program.
if (process.argv.length === 3 && /^(--version|-v|version)$/.test(process.argv[2]!))
  process.stdout.write(`${Release.version}\n`)
else await import("./cli/run.ts")
