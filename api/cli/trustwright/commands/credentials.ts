import { type ApiClient, dataOf, itemsOf, waitFor } from '../../../../shared/client/client.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, type CommandCall, textOf, textsOf, UsageError } from '../command.ts'
import { configurationIdsOf } from '../configuration-ids.ts'
import { countOf } from '../count-of.ts'
import { type Credential, type CredentialFilter, filterOf, filterOptions, isMatch } from '../credential-filter.ts'
import { createProgress } from '../progress.ts'
import { readIds } from '../read-input.ts'

/** The service changes at most this many credentials at once. */
const maxAtOnce = 10_000

export const findCredentials: Command = {
  name: 'credentials find',
  usage: '',
  summary: 'List issued credentials, also by user, configuration, state, profile, type, signer and day',
  options: {
    user: { type: 'string', multiple: true, value: 'ID', help: 'The credentials of this user. Can be repeated' },
    claim: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'The credentials of users with this claim. Can be repeated: a user must have all of them',
    },
    file: { type: 'string', value: 'FILE', help: 'The credentials of the users in a file: ids, one a line' },
    ...filterOptions,
  },
  details: ['Several options together: a credential must match all of them. At least one option is required.'],
  examples: [
    'trustwright credentials find --claim family_name=Lovelace --claim given_name=Ada',
    "trustwright credentials find --configuration 'Student card' --json > credentials.jsonl",
    'trustwright credentials find --state valid --credential-profile mobile --from 2026-03-01 --until 2026-03-31',
  ],
  async run(call) {
    const options = filterOf(call)
    const isByUser = ['user', 'claim', 'file'].some((name) => call.values[name] !== undefined)
    if (!isByUser && Object.keys(options).length === 0)
      throw new UsageError(`Give at least one option: --${Object.keys(findCredentials.options).join(', --')}`)
    const client = await call.client()
    const filter = await withConfigurationId(client, options)
    const credentials = isByUser ? ofUsers(client, await usersOf(call, client), filter) : ofAll(client, filter)
    let isAny = false
    for await (const credential of credentials) {
      isAny = true
      call.print(credential, lineOf(credential))
    }
    if (!isAny && filter.signerId !== undefined) call.terminal.stderr.write(adviceOnSigner(filter.signerId))
  },
}

/** Replaces the name of a configuration with its id. */
async function withConfigurationId(client: ApiClient, filter: CredentialFilter): Promise<CredentialFilter> {
  if (filter.configurationId === undefined) return filter
  const [configurationId = filter.configurationId] = await configurationIdsOf(client, [filter.configurationId])
  return { ...filter, configurationId }
}

/** An id of a signer that does not exist is no error, because the ids of deleted signers stay in their credentials. */
function adviceOnSigner(signerId: string): string {
  const ids = 'in "trustwright certificates list" and, for keys of DIDs, in "trustwright keys list"'
  return `No credential of the signer ${terminalText(signerId)} matches. The ids of signers are ${ids}.\n`
}

function ofAll(client: ApiClient, filter: CredentialFilter): AsyncGenerator<Credential> {
  return itemsOf((page) => client.GET('/v2/credentials/issued', { params: { query: { ...filter, ...page } } }))
}

async function usersOf(call: CommandCall, client: ApiClient): Promise<string[]> {
  const file = textOf(call, 'file')
  const claims = textsOf(call, 'claim').map(claimOf)
  const users = [...textsOf(call, 'user'), ...(file === undefined ? [] : await readIds(file, call.terminal))]
  if (claims.length > 0) {
    const body = { claims: Object.fromEntries(claims), withClaims: false }
    const matches = itemsOf((page) => client.POST('/v1/users/search', { body: { ...body, ...page } }))
    for await (const { id } of matches) users.push(id)
  }
  return [...new Set(users)]
}

function claimOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError('--claim must be NAME=VALUE, such as family_name=Lovelace')
  return [text.slice(0, at), text.slice(at + 1)]
}

async function* ofUsers(client: ApiClient, users: string[], filter: CredentialFilter): AsyncGenerator<Credential> {
  for (const userId of users) {
    const all = itemsOf((query) =>
      client.GET('/v1/users/{userId}/credentials', { params: { path: { userId }, query } }),
    )
    for await (const credential of all) if (isMatch(credential, filter, Date.now())) yield credential
  }
}

function lineOf({ id, profile, type, status, issuedDate }: Credential): string {
  return [id, profile, status, issuedDate, type].join('  ')
}

export const revokeCredentials: Command = {
  name: 'credentials revoke',
  usage: '[ID...]',
  summary: 'Revoke credentials of any profile, and wait until it is done',
  options: {
    file: {
      type: 'string',
      value: 'FILE',
      help: 'A file with ids, one a line, or the output of credentials find --json. - is standard input',
    },
    undo: { type: 'boolean', help: 'Undo the revocation of these credentials' },
  },
  examples: [
    'trustwright credentials revoke --file revoked.txt',
    'trustwright credentials find --user ID --json | trustwright credentials revoke --file -',
  ],
  async run(call) {
    const file = textOf(call, 'file')
    const fromFile = file === undefined ? [] : await readIds(file, call.terminal)
    const ids = [...new Set([...call.positionals, ...fromFile])]
    if (ids.length === 0) throw new UsageError('Give ids of credentials, or a file with ids')
    const isRevoked = call.values.undo !== true
    const client = await call.client()
    const progress = createProgress(call.terminal, 'Credentials', ids.length)
    const failed: { id: string; reason: string }[] = []
    let waiting = 0
    try {
      for (let start = 0; start < ids.length; start += maxAtOnce) {
        const some = ids.slice(start, start + maxAtOnce)
        const left = await change(client, some, isRevoked, (done) => progress.show(start + done))
        if (left === 'waiting') waiting += some.length
        else failed.push(...left)
      }
    } finally {
      progress.end()
    }
    for (const { id, reason } of failed) call.terminal.stderr.write(`${id}: ${reason}\n`)
    const changed = ids.length - failed.length - waiting
    const verb = isRevoked ? 'Revoked' : 'Undid the revocation of'
    const suffix = waiting > 0 ? `, ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for an approval` : ''
    call.print(
      { changed, failed, ...(waiting > 0 && { waiting }) },
      `${verb} ${countOf(changed, 'credential')}, ${failed.length} failed${suffix}`,
    )
    return failed.length === 0 ? 0 : 1
  },
}

/** Changes credentials and returns those that failed. `waiting`: the change waits for the approval of another person. */
async function change(client: ApiClient, credentials: string[], isRevoked: boolean, report: (done: number) => void) {
  const { id, approval } = await dataOf(
    client.POST('/v2/credentials/revocation-status', { body: { credentials, isRevoked } }),
  )
  if (approval) return 'waiting' as const
  const read = () => client.GET('/v2/credentials/revocation-status/{id}', { params: { path: { id } } })
  const hasEnded = ({ state, done }: { state: string; done: number }) => {
    report(done)
    return state === 'done'
  }
  return (await waitFor(read, hasEnded, { timeoutMs: 3_600_000, intervalMs: 500 })).failed
}
