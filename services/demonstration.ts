// Makes the files of the generated record beside a server, so that what that takes of memory ends with it.
import "./private.ts"
import "./stationsFile.ts"

// Loaded after the stations are given, as by a server.
await import("./madeRecord.ts")
