import "./private.ts"
import "./stationsFile.ts"

// Loaded after the stations are given: a bundle evaluates what programs share before the programs.
await import("./runServer.ts")
