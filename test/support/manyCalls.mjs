// Asks an address so many times at once and writes how many answers had which status: `manyCalls.mjs URL COUNT`, the key in KEY.
const [url = "", count] = process.argv.slice(2)
const headers = { authorization: `Bearer ${process.env.KEY}` }
const answers = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const answer = await fetch(url, { headers })
    await answer.arrayBuffer()
    return answer.status
  }),
)
/** @type {Record<number, number>} */
const counts = {}
for (const status of answers) counts[status] = (counts[status] ?? 0) + 1
process.stdout.write(`${JSON.stringify(counts)}\n`)
