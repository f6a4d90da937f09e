import { randomBytes } from 'node:crypto'

const digitsOfSpan = 16
const idsOfBlock = 256

let block = ''
let next = idsOfBlock

/** Returns the id of a span. Ids are parts of one random text, because a call of the generator costs more than writing a span. */
export function newSpanId(): string {
  if (next === idsOfBlock) {
    block = randomBytes((idsOfBlock * digitsOfSpan) / 2).toString('hex')
    next = 0
  }
  const start = digitsOfSpan * next++
  return block.slice(start, start + digitsOfSpan)
}

export function newTraceId(): string {
  return newSpanId() + newSpanId()
}
