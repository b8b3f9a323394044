// The thread of a checkout, where the programs are TypeScript; the package has modelThread.js.
import { register } from "tsx/esm/api"

register()
await import("./modelThread.ts")
