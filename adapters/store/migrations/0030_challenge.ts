/** The tables of the challenge on the live record. */
export { default } from "./released/challenge.ts"
