export * from "./task.ts"
