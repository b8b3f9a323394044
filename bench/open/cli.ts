#!/usr/bin/env node
import "../../services/brokenPipe.ts"
import { runLine } from "../../services/cli/line.ts"
import { start } from "../../services/cli/start.ts"
import { root } from "./cli/root.ts"

start(runLine(process.argv, async () => root))
