import "./private.ts"
import "./stationsFile.ts"

// Loaded after the stations are set: a bundle evaluates shared modules before the programs.
await import("./runServer.ts")
