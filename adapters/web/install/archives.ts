import { crc32 } from "node:zlib"

/*
 * Archives whose bytes follow from the files alone. Nothing is compressed: compressors differ by version and processor, and
 * lock files keep the checksum of what they once got.
 */

/** A file of an archive: its path there, and its content. */
export type Entry = readonly [path: string, bytes: Buffer]

/** That of the packages of npm, seconds. */
const modifiedAt = Date.UTC(1985, 9, 26, 8, 15) / 1_000
const blockBytes = 512
const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`

const tarHeader = (path: string, size: number): Buffer => {
  const block = Buffer.alloc(blockBytes)
  // A name has 100 bytes; the folders of a longer path go into a second field.
  const cut = path.length > 100 ? path.indexOf("/", path.length - 101) : -1
  block.write(path.slice(cut + 1), 0)
  block.write(`${octal(0o644, 7)}${octal(0, 7)}${octal(0, 7)}${octal(size, 11)}${octal(modifiedAt, 11)}        0`, 100)
  block.write("ustar\x0000", 257)
  if (cut > 0) block.write(path.slice(0, cut), 345)
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  )
  return block
}

const maxStored = 65_535

/** RFC 1952, of blocks that are stored as they are. */
const gzip = (bytes: Buffer): Buffer => {
  const pieces: Array<Buffer> = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])]
  for (let start = 0; start < bytes.length; start += maxStored) {
    const piece = bytes.subarray(start, start + maxStored)
    const head = Buffer.from([start + maxStored >= bytes.length ? 1 : 0, 0, 0, 0, 0])
    head.writeUInt16LE(piece.length, 1)
    head.writeUInt16LE(piece.length ^ 0xffff, 3)
    pieces.push(head, piece)
  }
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc32(bytes), 0)
  tail.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([...pieces, tail])
}

/** A package of npm, all in the folder `package`. */
export const tarball = (entries: ReadonlyArray<Entry>): Buffer =>
  gzip(
    Buffer.concat([
      ...entries.flatMap(([path, bytes]) => [
        tarHeader(`package/${path}`, bytes.length),
        bytes,
        Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes),
      ]),
      Buffer.alloc(2 * blockBytes),
    ]),
  )

/** The first day of ZIP's calendar. */
const zipDate = 0x21

export const zip = (entries: ReadonlyArray<Entry>): Buffer => {
  const [local, central]: [Array<Buffer>, Array<Buffer>] = [[], []]
  let offset = 0
  for (const [path, bytes] of entries) {
    const name = Buffer.from(path)
    // What both headers say: version 2.0, names in UTF-8, stored.
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(0x800, 2)
    shared.writeUInt16LE(zipDate, 8)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const position = Buffer.alloc(14)
    position.writeUInt32LE((0o100_644 << 16) >>> 0, 6)
    position.writeUInt32LE(offset, 10)
    local.push(Buffer.from("PK\x03\x04"), shared, name, bytes)
    central.push(Buffer.from("PK\x01\x02\x14\x03"), shared, position, name)
    offset += 30 + name.length + bytes.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write("PK\x05\x06")
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}
