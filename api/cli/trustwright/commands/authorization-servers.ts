import { type ApiClient, type components, dataOf, itemsOf } from '../../../../shared/client/client.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, choiceOf, textOf, textsOf, UsageError } from '../command.ts'
import { getByWord } from '../get-by-word.ts'

type Server = components['schemas']['AuthorizationServer']

const jwtProfiles = ['at+jwt', 'keycloak'] as const

const listServers: Command = {
  name: 'authorization-servers list',
  usage: '',
  summary: 'List the other authorization servers whose access tokens the tenant accepts',
  details: ['The columns are the id, the issuer, the audience and the name.'],
  options: {},
  examples: ['trustwright authorization-servers list'],
  async run(call) {
    for await (const server of serversOf(await call.client())) {
      const { id, issuer, audience, name } = server
      call.print(server, [id, issuer, audience, name].map(terminalText).join('  '))
    }
    return undefined
  },
}

const createServer: Command = {
  name: 'authorization-servers create',
  usage: '',
  summary: 'Accept the signed access tokens of an authorization server of your own, such as Keycloak',
  details: ['Introspection and scopes of the server need "trustwright api" or configuration files.'],
  options: {
    name: { type: 'string', value: 'TEXT', help: 'The name of the server for operators' },
    issuer: { type: 'string', value: 'URL', help: 'The exact issuer of its discovery document' },
    audience: { type: 'string', value: 'URL', help: 'The value that `aud` of its tokens must contain' },
    'jwt-profile': {
      type: 'string',
      value: 'NAME',
      help: 'The form of its tokens. Default: at+jwt',
      choices: jwtProfiles,
    },
    claim: { type: 'string', multiple: true, value: 'NAME', help: 'A claim to store for the user. Can be repeated' },
  },
  examples: [
    'trustwright authorization-servers create --name Keycloak --issuer https://login.example.org/realms/citizens --audience https://university.example.org --jwt-profile keycloak --claim given_name',
  ],
  async run(call) {
    const [name, issuer, audience] = ['name', 'issuer', 'audience'].map((option) => textOf(call, option))
    if (name === undefined || issuer === undefined || audience === undefined)
      throw new UsageError('--name, --issuer and --audience are required')
    const jwtProfile = choiceOf(call, 'jwt-profile', jwtProfiles)
    const claimsToPersist = textsOf(call, 'claim')
    const body = { name, issuer, audience, claimsToPersist, ...(jwtProfile !== undefined && { jwtProfile }) }
    const server = await dataOf((await call.client()).POST('/v1/openid/authorization-servers', { body }))
    call.print(server, `Created the authorization server ${server.id}`)
    return undefined
  },
}

const testServer: Command = {
  name: 'authorization-servers test',
  usage: 'SERVER',
  summary: 'Test the discovery and the keys of an authorization server. SERVER is its id, its issuer or its name',
  options: {},
  examples: ['trustwright authorization-servers test Keycloak'],
  async run(call) {
    const client = await call.client()
    const { id } = await getServer(client, call.positionals[0])
    const outcome = await dataOf(
      client.POST('/v1/openid/authorization-servers/{id}/test', { params: { path: { id } } }),
    )
    const lines = outcome.checks.map(({ check, result, message }) =>
      [check.padEnd(13), result.padEnd(7), terminalText(message)].join('  '),
    )
    call.print(outcome, lines.join('\n'))
    return outcome.works ? 0 : 1
  },
}

const deleteServer: Command = {
  name: 'authorization-servers delete',
  usage: 'SERVER',
  summary: 'Refuse the tokens of an authorization server from now on. Its users stay',
  options: {},
  examples: ['trustwright authorization-servers delete Keycloak'],
  async run(call) {
    const client = await call.client()
    const { id, name } = await getServer(client, call.positionals[0])
    await dataOf(client.DELETE('/v1/openid/authorization-servers/{id}', { params: { path: { id } } }))
    call.print({ id }, `Deleted the authorization server ${terminalText(name)}`)
    return undefined
  },
}

export const authorizationServerCommands: readonly Command[] = [listServers, createServer, testServer, deleteServer]

/** Returns the server with this id, issuer or name. */
function getServer(client: ApiClient, word: string | undefined): Promise<Server> {
  const list = 'trustwright authorization-servers list'
  const namesOf = ({ issuer, name }: Server) => [issuer, name]
  return getByWord(word, serversOf(client), { noun: 'authorization server', list, namesOf })
}

function serversOf(client: ApiClient): AsyncGenerator<Server> {
  return itemsOf((query) => client.GET('/v1/openid/authorization-servers', { params: { query } }))
}
