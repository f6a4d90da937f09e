import type { SpanKind } from '@opentelemetry/api'
import { type AttributeName, attributeNames, type SpanAttributes } from './attributes.ts'
import type { SpanEnd } from './recorder.ts'

/** What the text of a span has. */
export interface WritableSpan {
  readonly name: string
  readonly kind: SpanKind
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number
  readonly own: SpanAttributes | undefined
}

/** The names of spans are constants of the code. A longer name is cut, so that each span fits into `maxSpanBytes`. */
const maxNameLength = 200
const maxValueLength = 100
export const maxSpanBytes = 8_192

/** `1` for the characters of ids and words: `\w`, `.`, `:` and `-`. */
const isOfWord = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.:-]/.test(String.fromCharCode(code)) ? 1 : 0))

/** The text before the value of each allowed attribute. */
const keysOf = (type: string) =>
  new Map<string, Buffer>(
    attributeNames.map((name) => [name, Buffer.from(`{"key":"${name}","value":{"${type}":"`)] as const),
  )
const textKeys = keysOf('stringValue')
const integerKeys = keysOf('intValue')

const endOfAttribute = Buffer.from('"}}')
const endOfSpan = Buffer.from(']}')
const endOfFailedSpan = Buffer.from('],"status":{"code":2}}')
const comma = Buffer.from(',')

/** Each span begins with this text. The ids and times are written over its spaces and zeros. */
const time = '0'.repeat(19)
const fixed = `{"startTimeUnixNano":"${time}","endTimeUnixNano":"${time}","traceId":"${' '.repeat(32)}","spanId":"${' '.repeat(16)}","parentSpanId":"${' '.repeat(16)}",`
const positions = {
  start: fixed.indexOf(time),
  end: fixed.lastIndexOf(time),
  traceId: fixed.indexOf('traceId') + 10,
  spanId: fixed.indexOf('spanId') + 9,
  parent: fixed.indexOf('"parentSpanId'),
  parentSpanId: fixed.indexOf('parentSpanId') + 15,
}

/**
 * Writes spans as OTLP in JSON into a buffer. It copies constant bytes and fills in the rest: a text of the whole span would be longer than
 * all that a span allocates otherwise.
 */
export class SpanText {
  readonly bytes: Buffer
  length = 0
  /** The first bytes of spans, by kind and name. */
  readonly #heads: Map<string, Buffer>[] = []
  readonly #rootHeads: Map<string, Buffer>[] = []

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size)
  }

  put(text: string): void {
    this.length += this.bytes.write(text, this.length)
  }

  putComma(): void {
    this.#copy(comma)
  }

  putSpan(span: WritableSpan, { endedAt, shared, isFailed }: SpanEnd): void {
    const { own, parentSpanId } = span
    const start = this.length
    this.#copy(headOf(span, parentSpanId === undefined ? this.#rootHeads : this.#heads))
    this.#writeTime(start + positions.start, span.startedAt)
    this.#writeTime(start + positions.end, endedAt)
    this.#writeId(start + positions.traceId, span.traceId)
    this.#writeId(start + positions.spanId, span.spanId)
    if (parentSpanId !== undefined) this.#writeId(start + positions.parentSpanId, parentSpanId)
    const first = this.length
    if (own) this.#putAttributes(own, first, shared)
    if (shared) this.#putAttributes(shared, first)
    this.#copy(isFailed ? endOfFailedSpan : endOfSpan)
  }

  #copy(part: Buffer): void {
    this.bytes.set(part, this.length)
    this.length += part.length
  }

  #writeId(position: number, id: string): void {
    const { bytes } = this
    for (let at = 0; at < id.length; at++) bytes[position + at] = id.charCodeAt(at)
  }

  /** Writes nanoseconds as two numbers, because they are above 2^53. */
  #writeTime(position: number, ms: number): void {
    const whole = Math.floor(ms)
    const seconds = Math.floor(whole / 1_000)
    const tenthOfDays = Math.floor(seconds / 100_000)
    this.#writeDigits(position, 5, tenthOfDays)
    this.#writeDigits(position + 5, 5, seconds - 100_000 * tenthOfDays)
    this.#writeDigits(position + 10, 3, whole - 1_000 * seconds)
    this.#writeDigits(position + 13, 6, Math.min(999_999, Math.round(1e6 * (ms - whole))))
  }

  #writeDigits(position: number, count: number, value: number): void {
    let rest = value | 0
    for (let at = position + count - 1; at >= position; at--) {
      const quotient = (rest / 10) | 0
      this.bytes[at] = 48 + rest - 10 * quotient
      rest = quotient
    }
  }

  /** Writes the allowed attributes, without those of `except`. `first` is the position of the first attribute of the span. */
  #putAttributes(attributes: SpanAttributes, first: number, except?: SpanAttributes): void {
    for (const name in attributes) {
      const value = attributes[name as AttributeName]
      if (value === undefined || (except && name in except)) continue
      const before = this.length
      if (before > first) this.putComma()
      if (!this.#putAttribute(name, value)) this.length = before
    }
  }

  /** Returns false for another name, a number that is no integer, and a text that is neither an id nor a word. */
  #putAttribute(name: string, value: string | number): boolean {
    const key = (typeof value === 'number' ? integerKeys : textKeys).get(name)
    if (!key) return false
    this.#copy(key)
    if (typeof value === 'string') {
      if (!this.#putWord(value)) return false
    } else if (Number.isSafeInteger(value)) this.put(String(value))
    else return false
    this.#copy(endOfAttribute)
    return true
  }

  #putWord(text: string): boolean {
    if (text.length === 0 || text.length > maxValueLength) return false
    const { bytes, length } = this
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isOfWord[code] !== 1) return false
      bytes[length + at] = code
    }
    this.length = length + text.length
    return true
  }
}

/** Returns the text of a span before its attributes. The kinds of OTLP begin with 1. */
function headOf({ name, kind, parentSpanId }: WritableSpan, heads: Map<string, Buffer>[]): Buffer {
  heads[kind] ??= new Map()
  const cachedHead = heads[kind].get(name)
  if (cachedHead) return cachedHead
  const start = parentSpanId === undefined ? fixed.slice(0, positions.parent) : fixed
  const head = Buffer.from(
    `${start}"name":${JSON.stringify(name.slice(0, maxNameLength))},"kind":${kind + 1},"attributes":[`,
  )
  heads[kind].set(name, head)
  return head
}
