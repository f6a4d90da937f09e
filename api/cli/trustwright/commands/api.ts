import { text } from 'node:stream/consumers'
import { type Fetched, TrustwrightError } from '../../../../shared/client/errors.ts'
import { type Command, type CommandCall, jsonOf, textOf, UsageError } from '../command.ts'
import { readInput } from '../read-input.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE']

export const api: Command = {
  name: 'api',
  usage: 'METHOD PATH',
  summary: 'Call any operation of the API and print its response',
  options: {
    data: { type: 'string', short: 'd', value: 'JSON', help: 'The body: JSON, @FILE, or - for standard input' },
  },
  examples: [
    `trustwright api GET '/v1/users?limit=10'`,
    `trustwright api POST /v1/users --data '{"claims": {"given_name": "Ada"}}'`,
    'trustwright api PUT /v1/openid/configuration --data @configuration.json',
  ],
  async run(call) {
    const [methodName = '', path = ''] = call.positionals
    const method = methods.find((each) => each === methodName.toUpperCase())
    if (!method || !path.startsWith('/'))
      throw new UsageError('Give a method (GET, POST, PUT or DELETE) and a path such as /v1/users')
    const body = await bodyOf(call)
    const client = await call.client()
    // Boundary: the types know each path. This path is any, and the service checks it.
    const request = client.request as unknown as (
      method: string,
      path: string,
      init: object,
    ) => Promise<Fetched<string>>
    const init = { parseAs: 'text', ...(body !== undefined && { body }) }
    const { data, error, response } = await request(method.toLowerCase(), path, init)
    if (!response.ok) throw new TrustwrightError(response, typeof error === 'string' ? parsed(error) : error)
    const value = parsed(data ?? '')
    if (value !== '') call.print(value, typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  },
}

async function bodyOf(call: CommandCall): Promise<unknown> {
  const data = textOf(call, 'data')
  if (data === undefined) return undefined
  if (data === '-') return jsonOf(await text(call.terminal.stdin), 'Standard input')
  if (!data.startsWith('@')) return jsonOf(data, '--data')
  const file = data.slice(1)
  return jsonOf(await readInput(file, call.terminal), file)
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return content
  }
}
