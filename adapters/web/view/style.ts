import { files } from "../files.ts"
import { properties } from "./tokens.ts"

/** The style of pictures alone. */
export const plotStyle = files.plotStyle

/** The one style sheet of all pages; it follows the reader's light or dark setting. */
export const style = `${properties}\n${files.style}\n${plotStyle}`
