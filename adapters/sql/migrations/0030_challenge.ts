/** The tables of the challenge on the live record. */
export { default } from "../../lanes/markets/store/challengeSchema.ts"
