import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { multipart } from '../../../api/http/multipart/multipart.ts'
import { anyone, defineRoute } from '../../../api/http/route.ts'
import { type Kernel, startKernel } from '../../harness/kernel.ts'

const take = defineRoute({
  operation: 'take',
  summary: 'Takes a file',
  tag: 'Test',
  method: 'POST',
  host: 'any',
  path: '/take',
  access: anyone,
  body: z.object({ title: z.string().max(10), tags: z.array(z.string()).optional() }),
  consumes: multipart({ file: 'document', limitBytes: 2_000_000, isReadFirst: true }),
  bodyLimitBytes: 10_000,
  status: 200,
  response: z.object({ title: z.string(), tags: z.array(z.string()).optional(), bytes: z.int() }),
  async handle({ body, file, form }) {
    if (body !== undefined) throw new Error('the body exists before the file is read')
    let bytes = 0
    for await (const chunk of file().stream) bytes += chunk.length
    return { ...form(), bytes }
  },
})

let kernel: Kernel
beforeAll(async () => {
  kernel = await startKernel([take])
})
afterAll(() => kernel[Symbol.asyncDispose]())

type Entry = [string, string | File]
const document: Entry = ['document', new File(['%PDF'], 'a.pdf')]
const title: Entry = ['title', 't']
const tag: Entry = ['tags', 'a']

async function send(entries: Entry[]) {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  const response = await fetch(`${kernel.origin}/take`, { method: 'POST', body: form })
  return { status: response.status, body: await response.json() }
}

describe('a form whose file is read first', () => {
  test.each<[string, Entry[]]>([
    ['after', [document, title, tag, tag]],
    ['before', [title, tag, tag, document]],
    ['on both sides of', [tag, document, title, tag]],
  ])('can have fields %s it', async (_where, entries) => {
    expect(await send(entries)).toEqual({ status: 200, body: { title: 't', tags: ['a', 'a'], bytes: 4 } })
  })

  const long: Entry = ['tags', 'x'.repeat(6000)]
  test.each<[string, Entry[], number, string]>([
    ['that the schema refuses', [document, ['title', 'more than ten']], 400, 'title'],
    ['that is not in the schema', [document, title, ['other', 't']], 400, 'other'],
    ['twice', [title, document, title], 400, 'title'],
    ['over their limit together', [long, document, title, long], 413, 'tags'],
    ['that is a second file', [document, title, document], 400, 'document'],
    ['that is missing', [document], 400, 'title'],
  ])('refuses a field %s', async (_what, entries, status, param) => {
    expect(await send(entries)).toMatchObject({ status, body: { details: [{ param, location: 'body' }] } })
  })
})
