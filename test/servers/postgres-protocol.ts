/** The types of the messages of one write (PostgreSQL manual, section 54.7). */
export function typesOf(bytes: Buffer): string {
  let types = ''
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) types += String.fromCharCode(bytes[at] ?? 0)
  return types
}

export function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

export function field(name: string, type: number): Buffer {
  return Buffer.concat([text(name), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)])
}

export const ready = message('Z', Buffer.from('I'))
export const rowsAnswer = Buffer.concat([
  message('T', int16(2), field('a', 23), field('b', 25)),
  message('D', int16(2), int32(1), Buffer.from('7'), int32(-1)),
  message('C', text('SELECT 1')),
  ready,
])
