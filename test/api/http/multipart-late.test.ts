import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FormRules, readMultipart } from '../../../api/http/multipart/read-multipart.ts'

const rules: FormRules = {
  ...{ mediaType: 'multipart/form-data', file: 'document', limitBytes: 100_000, isReadFirst: true },
  ...{ fields: new Set(['title', 'note']), fieldLimitBytes: 10_000 },
}

/** Reads the form when its whole body has arrived, as after a check of the token. Reads the file later, as after a transaction. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await setTimeout(50)
  const { upload, fields, checkRead, close } = await readMultipart(request, rules)
  await setTimeout(50)
  const { length } = await buffer(upload.stream)
  checkRead()
  close()
  response.end(JSON.stringify({ ...fields(), length }))
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.end(String(error)))
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

const part = (name: string, more: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

test('a small file stays until the handler reads it, also if the form has ended before', async () => {
  for (const length of [1, 4, 10_000]) {
    const fields = ['title', 'note'].map((name) => `${part(name, '', 'text')}\r\n`).join('')
    // The parser does not wait for the reader of a file that ends with a chunk.
    const chunks = [fields, part('document', '; filename="a.csv"', 'x'.repeat(length)), '\r\n--x--\r\n', '']
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=x\r\n'
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks.map(chunk).join('')}`)
    expect((await socket.toArray()).join('')).toContain(JSON.stringify({ title: 'text', note: 'text', length }))
  }
})
