import * as Field from "../../endpoint/Field.ts"

/** A field in micro-dollars. */
export const micros = (description: string) => Field.integer(`Micro-dollars. ${description}`)
