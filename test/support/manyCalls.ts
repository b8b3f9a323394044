import * as processes from "./processes.ts"

/** How many of so many calls at once had which status. They come from another process, whose work is none of the server's. */
export const manyCalls = async (url: string, key: string, count: number): Promise<Readonly<Record<number, number>>> => {
  const client = processes.start("test/support/manyCalls.mjs", [url, `${count}`], { KEY: key })
  const [line] = await client.linesUntil(1)
  await client.ended
  return JSON.parse(line!)
}
