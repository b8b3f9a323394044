import { main } from "./main.ts"
import { start } from "./start.ts"

start(main(process.argv))
