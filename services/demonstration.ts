// Makes the files of the generated record in a process of its own, whose memory is freed when it ends.
import "./private.ts"
import "./stationsFile.ts"

// Loaded after the stations are set, as in a server.
await import("./madeRecord.ts")
