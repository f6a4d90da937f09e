import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { languages, snippetOf } from '../../api/console/app/kit/snippets.ts'
import type { Need } from '../harness/needs.ts'

const run = promisify(execFile)

/** How a person runs a command of each language, and the program that it needs. */
const runners = {
  curl: ['sh', '-c'],
  'Node.js': [process.execPath, '--input-type=module', '-e'],
  Python: ['python3', '-c'],
} as const
const needOf: Record<keyof typeof runners, Need[]> = { curl: ['curl'], 'Node.js': [], Python: ['python'] }

const body = JSON.stringify({ name: `It's "A\\B" $HOME \`x\` ü 😀 \u2028`, lines: 'a\nb', active: true, none: null })

describe.each(languages)('the command in %s', (language) => {
  test('repeats the request of the console', { tags: needOf[language] }, async () => {
    const requests: unknown[] = []
    const server = createServer(async (request, response) => {
      const { method, url, headers } = request
      const { authorization, 'content-type': type } = headers
      requests.push({ method, url, authorization, ...(method !== 'GET' && { type, body: await text(request) }) })
      response.end('answered')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
    try {
      const [program, ...words] = runners[language]
      const env = { ...process.env, TOKEN: 'secret' }
      const authorization = 'Bearer secret'
      for (const request of [
        { method: 'GET', url: `${origin}/v1/users?limit=2&q=it%27s`, body: '' },
        { method: 'PUT', url: `${origin}/v1/users/1`, body },
        { method: 'DELETE', url: `${origin}/v1/users/1`, body: '' },
      ]) {
        const { stdout } = await run(program, [...words, snippetOf(language, request)], { env })
        expect(stdout).toContain('answered')
      }
      expect(requests).toMatchObject([
        { method: 'GET', url: '/v1/users?limit=2&q=it%27s', authorization },
        { method: 'PUT', url: '/v1/users/1', authorization, type: 'application/json', body },
        { method: 'DELETE', url: '/v1/users/1', authorization },
      ])
    } finally {
      server.close()
    }
  })
})
