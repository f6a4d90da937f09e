import { pipeline } from 'node:stream/promises'
import { dataOf } from '../../../../shared/client/client.ts'
import { type Command, textOf, UsageError } from '../command.ts'

export const exportUser: Command = {
  name: 'users export',
  usage: 'ID',
  summary: 'Save or print all data that is stored about a user',
  options: {
    html: { type: 'boolean', help: 'A page that the person can read and print. Default: JSON' },
    out: { type: 'string', value: 'FILE', help: 'Write it to this file, which only you can read' },
  },
  details: ['Each export is recorded in the audit. An existing file is not overwritten.'],
  examples: ['trustwright users export ID --out person.json', 'trustwright users export ID --html --out person.html'],
  async run(call) {
    const [id] = call.positionals
    if (id === undefined) throw new UsageError('Give the id of one user')
    const file = textOf(call, 'out')
    // Loaded on demand, because the help does not need it.
    const { readStreamedBody } = await import('../read-streamed-body.ts')
    const { refuseExisting } = await import('../bulk/results.ts')
    if (file !== undefined) refuseExisting(file)
    const client = await call.client()
    const headers = { Accept: call.values.html === true ? 'text/html' : 'application/json' }
    const init = { params: { path: { id } }, headers, parseAs: 'stream' } as const
    // Boundary: `parseAs` makes the data a stream.
    const data = (await dataOf(client.GET('/v1/users/{id}/export', init))) as unknown as ReadableStream<Uint8Array>
    if (file === undefined) {
      await pipeline(readStreamedBody(data), call.terminal.stdout, { end: false })
      return 0
    }
    const { writeWhole } = await import('../bulk/part-file.ts')
    await writeWhole(file, readStreamedBody(data))
    return 0
  },
}
