
export * from "./task.ts"
