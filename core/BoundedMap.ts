/**
 * A map of bounded size, for caches. It holds at most `size` entries in two generations, and always at least the half that
 * was used last: entries in use stay, and the map is never emptied at once.
 */
export class BoundedMap<K, V> {
  private readonly half: number
  private younger: Map<K, V> = new Map()
  private older: Map<K, V> = new Map()
  constructor(size: number) {
    this.half = Math.ceil(size / 2)
  }
  get(key: K): V | undefined {
    const young = this.younger.get(key)
    if (young !== undefined || this.older.size === 0) return young
    const old = this.older.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }
  set(key: K, value: V): void {
    if (this.younger.size >= this.half && !this.younger.has(key)) {
      this.older = this.younger
      this.younger = new Map()
    }
    this.younger.set(key, value)
  }
  clear(): void {
    this.younger.clear()
    this.older.clear()
  }
}
