/** Orders of payments into wallets, and the facts known of them. */
export { default } from "./released/orders.ts"
