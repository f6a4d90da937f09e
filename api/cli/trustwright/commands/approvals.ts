import { type ApiClient, dataOf, itemsOf } from '../../../../shared/client/client.ts'
import type { Fetched } from '../../../../shared/client/errors.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, type CommandCall, choiceOf, UsageError } from '../command.ts'
import { createNames } from '../names.ts'

const states = ['waiting', 'approved', 'executed', 'rejected', 'expired'] as const

export const findApprovals: Command = {
  name: 'approvals list',
  usage: '',
  summary: 'List the requests that needed the approval of another person, the oldest first',
  options: {
    state: {
      type: 'string',
      value: 'STATE',
      choices: states,
      help: `Only approvals in this state: ${states.join(', ')}`,
    },
  },
  examples: ['trustwright approvals list --state waiting', 'trustwright approvals list --json'],
  async run(call) {
    const state = choiceOf(call, 'state', states)
    const client = await call.client()
    const all = itemsOf((page) =>
      client.GET('/v1/approvals', { params: { query: { ...page, ...(state && { state }) } } }),
    )
    const print = createPrinter(call, client)
    for await (const approval of all) await print(approval)
  },
}

export const approveRequest: Command = {
  name: 'approvals approve',
  usage: 'ID',
  summary:
    'Approve the request of another person. It is executed at once, or by its sender if it applies configuration files',
  options: {},
  examples: ['trustwright approvals approve ID'],
  run: (call) => decide(call, (client, params) => client.POST('/v1/approvals/{id}/approve', { params })),
}

export const rejectRequest: Command = {
  name: 'approvals reject',
  usage: 'ID',
  summary: 'Reject a request that waits for an approval, or withdraw an own one',
  options: {},
  examples: ['trustwright approvals reject ID'],
  run: (call) => decide(call, (client, params) => client.POST('/v1/approvals/{id}/reject', { params })),
}

type Decide = (client: ApiClient, params: { path: { id: string } }) => Promise<Fetched<Approval>>

async function decide(call: CommandCall, send: Decide): Promise<undefined> {
  const [id] = call.positionals
  if (id === undefined) throw new UsageError('Give the id of an approval. trustwright approvals list shows the ids')
  const client = await call.client()
  await createPrinter(call, client)(await dataOf(send(client, { path: { id } })))
}

interface Approval {
  id: string
  state: string
  operation: string
  objects: number
  expiresAt: string
  askedBy: { clientId?: string; managementUserId?: string }
}

/** Returns a function that prints an approval. Its line has the name of the one who asked. */
function createPrinter(call: CommandCall, client: ApiClient): (approval: Approval) => Promise<void> {
  const names = createNames(client)
  let tenantId: Promise<string> | undefined
  return async (approval) => {
    if (call.json) return call.print(approval, '')
    const { id, state, operation, objects, expiresAt, askedBy } = approval
    tenantId ??= dataOf(client.GET('/console/session')).then((session) => session.tenantId)
    const sender = terminalText((await names.ofCaller(await tenantId, askedBy)) ?? '')
    call.print(approval, [id, state, operation, objects, sender, expiresAt].join('  '))
  }
}
