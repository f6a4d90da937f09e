/** An event of a stream. */
export interface ServerSentEvent {
  id: string | undefined
  event: string
  data: string
}

/** Parses server-sent events (HTML Standard, section 9.2.6). Comments and an event that is cut off yield nothing. */
export async function* serverSentEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    yield* blocks.map(parseEvent).filter((event) => event.data !== '')
  }
}

function parseEvent(block: string): ServerSentEvent {
  const fields = block.split(/\r?\n/).map((line) => {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    return { name, value }
  })
  const last = (fieldName: string) => fields.findLast(({ name }) => name === fieldName)?.value
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value)
  return { id: last('id'), event: last('event') ?? 'message', data: data.join('\n') }
}
