import { dataOf, itemsOf } from '../../../../shared/client/client.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, type CommandCall, type Option, textOf, UsageError } from '../command.ts'

const owner: Record<string, Option> = {
  person: { type: 'string', value: 'ID', help: 'The sessions of this person (managementUserId in events)' },
  client: { type: 'string', value: 'ID', help: 'The sessions of this client' },
}

export const findSessions: Command = {
  name: 'sessions list',
  usage: '',
  summary: 'List who is signed in: people, clients and their programs. Others than admins see their own sessions',
  options: owner,
  examples: ['trustwright sessions list', 'trustwright sessions list --person ada --json'],
  async run(call) {
    const client = await call.client()
    const query = ownerOf(call)
    const all = itemsOf((page) => client.GET('/v1/console-sessions', { params: { query: { ...page, ...query } } }))
    for await (const session of all) {
      const { id, kind, name, clientId, managementUserId, isCurrent, lastUsedAt } = session
      const who = terminalText(`${name} (${clientId ?? managementUserId})`)
      const columns = [id, kind, who, `last use ${lastUsedAt}`, ...(isCurrent ? ['this session'] : [])]
      call.print(session, columns.join('  '))
    }
  },
}

export const endSessions: Command = {
  name: 'sessions end',
  usage: '[ID]',
  summary: 'End a session, or all sessions of a person or a client, at once',
  details: [
    'With --client the access tokens of the client end too. Its secret still gives new ones: replace or delete it first.',
    'With --person a person can sign in again, unless the sign-in provider refuses it.',
    'The requests of another person that wait for an approval are rejected.',
  ],
  options: owner,
  examples: [
    'trustwright sessions end ID',
    'trustwright sessions end --person ada',
    'trustwright sessions end --client ID',
  ],
  async run(call) {
    const [id] = call.positionals
    const body = ownerOf(call)
    if ([id, body.clientId, body.managementUserId].filter((each) => each !== undefined).length !== 1)
      throw new UsageError('Give the id of one session, --person or --client. trustwright sessions list shows the ids')
    const client = await call.client()
    if (id === undefined) {
      const result = await dataOf(client.POST('/v1/console-sessions/end', { body }))
      call.print(result, `Ended ${result.ended} ${result.ended === 1 ? 'session' : 'sessions'}`)
      return undefined
    }
    await dataOf(client.DELETE('/v1/console-sessions/{id}', { params: { path: { id } } }))
    call.print({ ended: 1 }, 'Ended 1 session')
    return undefined
  },
}

function ownerOf(call: CommandCall): { clientId?: string; managementUserId?: string } {
  const [clientId, managementUserId] = [textOf(call, 'client'), textOf(call, 'person')]
  return { ...(clientId !== undefined && { clientId }), ...(managementUserId !== undefined && { managementUserId }) }
}
