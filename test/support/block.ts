/** A document with a text between the markers of a block, which name the command that writes it. */
export const withBlock = (document: string, name: string, text: string, command = name): string => {
  const [open, close] = [`<!-- ${name}: written by npm run ${command} -->`, `<!-- /${name} -->`]
  const [start, end] = [document.indexOf(open), document.indexOf(close)]
  if (start === -1 || end < start) throw new Error(`There is no block of ${name}.`)
  return `${document.slice(0, start + open.length)}\n${text}\n${document.slice(end)}`
}
