/** The fields of a protobuf message by their numbers. A field of 64 bits is left out. */
type Fields = Map<number, (number | Buffer)[]>

/** Reads a message of protobuf (wire types 0, 1, 2 and 5). */
function readFields(bytes: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const readVarint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const key = readVarint()
    const type = key & 7
    let value: number | Buffer | undefined
    if (type === 0) value = readVarint()
    else if (type === 2) {
      const length = readVarint()
      value = bytes.subarray(at, at + length)
      at += length
    } else at += type === 1 ? 8 : 4
    if (value !== undefined) fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), value])
  }
  return fields
}

const bytesIn = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).filter((each) => typeof each !== 'number')
const messagesIn = (fields: Fields, number: number) => bytesIn(fields, number).map(readFields)
const textIn = (fields: Fields, number: number) => bytesIn(fields, number)[0]?.toString()
const hexIn = (fields: Fields, number: number) => bytesIn(fields, number)[0]?.toString('hex')

/** Returns the values of attributes by their names. */
const attributesIn = (fields: Fields, number: number) =>
  Object.fromEntries(
    messagesIn(fields, number).map((keyValue) => {
      const [value = new Map()] = messagesIn(keyValue, 2)
      return [textIn(keyValue, 1) ?? '', value.get(3)?.[0] ?? textIn(value, 1)]
    }),
  )

const failedStatus = 2

/** Reads an export request of OTLP in protobuf (opentelemetry-proto, trace/v1/trace.proto). */
export function readTraces(body: Buffer) {
  return messagesIn(readFields(body), 1).map((ofResource) => ({
    resource: Object.assign({}, ...messagesIn(ofResource, 1).map((resource) => attributesIn(resource, 1))),
    spans: messagesIn(ofResource, 2)
      .flatMap((ofScope) => messagesIn(ofScope, 2))
      .map((span) => {
        const parentSpanId = hexIn(span, 4)
        return {
          traceId: hexIn(span, 1) ?? '',
          spanId: hexIn(span, 2) ?? '',
          ...(parentSpanId && { parentSpanId }),
          name: textIn(span, 5) ?? '',
          attributes: attributesIn(span, 9),
          isFailed: messagesIn(span, 15)[0]?.get(3)?.[0] === failedStatus,
        }
      }),
  }))
}
