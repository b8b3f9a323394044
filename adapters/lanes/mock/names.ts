import { draws } from "./draws.ts"

const splitWords = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const firstNames = splitWords(`
  Abel Alden Anselm Barnaby Bram Caspian Corwin Dario Dorian Emeric Evander Farley Fergus Gareth Gideon Hollis Ignace
  Jorah Kester Lorne Magnus Nestor Nevin Osric Pablo Piers Quill Roderic Silvan Tomas Torin Ulric Varian Wendell
  Xander Yorick Yusei Zeke
`)

const lastNames = splitWords(`
  Applegarth Ashgrove Birchwell Brackenridge Coldharbor Copperthwaite Dellinghame Dunmarsh Elderfen Emberstone Fernsby
  Foxmantle Gallowglass Greyholt Hazelbrook Heathermoor Inkerwell Ironmere Jadeworth Kestrelby Kindlewick Lanternby
  Larkspurn Meadowcroft Mossgate Nakano Northcray Oakhurst Okafor Pennyfold Quarrington Ravensby Rookwood Silverlode
  Thornacre Umberfield Valewright Wexcombe Yarrowdale Zamora
`)

/** The name of an invented person, by some words. */
export const drawName = (...of: ReadonlyArray<string | number>): string => {
  const { pick } = draws("name", ...of)
  return `${pick(firstNames)} ${pick(lastNames)}`
}
