import { randomBytes } from 'node:crypto'

export interface Canaries {
  /** The canary of a person. */
  textOf(index: number): string
  /** Returns the persons whose canaries are in the bytes, as text or in base64. */
  indexesIn(bytes: Buffer): Set<number>
}

/** Returns texts that identify a person in any bytes. */
export function createCanaries(): Canaries {
  const mark = `canary${randomBytes(6).toString('hex')}`
  const textOf = (index: number) => `${mark}n${String(index).padStart(6, '0')}e`
  const base64Length = Math.ceil((textOf(0).length * 4) / 3)
  const needles = [
    {
      needle: Buffer.from(mark),
      read: (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + textOf(0).length),
    },
    ...[0, 1, 2].map((offset) => ({
      needle: Buffer.from(base64Of(mark, offset)),
      read: (bytes: Buffer, at: number) =>
        Buffer.from(bytes.toString('latin1', at, at + base64Length), 'base64url').toString('latin1'),
    })),
  ]
  return {
    textOf,
    indexesIn(bytes) {
      const indexes = new Set<number>()
      for (const { needle, read } of needles) {
        for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) {
          const [, index] = /n(\d{6})e/.exec(read(bytes, at)) ?? []
          if (index !== undefined) indexes.add(Number(index))
        }
      }
      return indexes
    },
  }
}

/** Returns the base64 of a text that begins this many bytes after a group of three, without the groups that other bytes also change. */
function base64Of(text: string, offset: number): string {
  const whole = Buffer.from('x'.repeat(offset) + text).toString('base64url')
  return whole.slice(offset === 0 ? 0 : 4, Math.floor((offset + text.length) / 3) * 4)
}
