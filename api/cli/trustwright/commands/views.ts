import { type ApiClient, type components, dataOf, itemsOf } from '../../../../shared/client/client.ts'
import { walletFamilies } from '../../../../shared/domain/issuance/wallet-families.ts'
import { protocolProfiles } from '../../../../shared/domain/tenancy/protocol-profiles.ts'
import { terminalText } from '../bulk/terminal-text.ts'
import { type Command, type CommandCall, choiceOf, textOf, textsOf, UsageError } from '../command.ts'
import { configurationIdsOf, configurationsOption } from '../configuration-ids.ts'
import { profilesOfCredentials } from '../credential-filter.ts'
import { getByWord } from '../get-by-word.ts'

type View = components['schemas']['View']

const listViews: Command = {
  name: 'views list',
  usage: '',
  summary: 'List the views: further credential issuers of the tenant for wallets',
  details: ['The columns are the id, the protocol profile, the issuer identifier and the name.'],
  options: {},
  examples: ['trustwright views list', 'trustwright views list --json'],
  async run(call) {
    for await (const view of viewsOf(await call.client())) call.print(view, lineOf(view))
    return undefined
  },
}

const createView: Command = {
  name: 'views create',
  usage: '',
  summary: 'Create a view with some of the configurations, for wallets that cannot read all of them',
  options: {
    name: { type: 'string', value: 'TEXT', help: 'The name of the view for operators' },
    path: { type: 'string', value: 'PATH', help: 'The last part of the issuer identifier, such as ios' },
    host: { type: 'string', value: 'HOST', help: 'An alias of the tenant that is the issuer identifier instead' },
    protocol: {
      type: 'string',
      value: 'PROFILE',
      help: 'The protocol profile. Default: standard',
      choices: protocolProfiles,
    },
    'credential-profile': {
      ...{ type: 'string', multiple: true, value: 'PROFILE', choices: profilesOfCredentials },
      help: 'All configurations of this profile, also later ones. Can be repeated',
    },
    configuration: configurationsOption,
    'wallet-family': {
      ...{ type: 'string', multiple: true, value: 'FAMILY', choices: walletFamilies },
      help: 'Warn of offers of the view that this wallet family cannot read. Can be repeated',
    },
    'display-name': { type: 'string', value: 'TEXT', help: 'The name of the issuer in wallets' },
  },
  examples: [
    "trustwright views create --name 'iOS wallets' --path ios --credential-profile mobile --credential-profile sd-jwt",
    "trustwright views create --name 'Student cards' --path cards --configuration 'Student card'",
  ],
  async run(call) {
    const [name, path, host, displayName] = ['name', 'path', 'host', 'display-name'].map((option) =>
      textOf(call, option),
    )
    if (name === undefined || path === undefined) throw new UsageError('--name and --path are required')
    const profile = choiceOf(call, 'protocol', protocolProfiles) ?? 'standard'
    const client = await call.client()
    const families = choicesOf(call, 'wallet-family', walletFamilies)
    const configurations = await configurationsIn(call, client)
    const body = {
      ...{ name, path, profile, configurations },
      ...(host !== undefined && { host }),
      ...(families.length > 0 && { walletFamilies: families }),
      ...(displayName !== undefined && { displayName }),
    }
    const view = await dataOf(client.POST('/v1/views', { body }))
    call.print(view, `Created the view ${view.id}\nIssuer: ${view.issuer}`)
    return undefined
  },
}

const deleteView: Command = {
  name: 'views delete',
  usage: 'VIEW',
  summary: 'Delete a view that no offer and no session needs. VIEW is its id, its path or its name',
  options: {},
  examples: ['trustwright views delete ios'],
  async run(call) {
    const client = await call.client()
    const { id, issuer } = await getNamedView(client, call.positionals[0])
    await dataOf(client.DELETE('/v1/views/{id}', { params: { path: { id } } }))
    call.print({ id }, `Deleted the view ${issuer}`)
    return undefined
  },
}

export const viewCommands: readonly Command[] = [listViews, createView, deleteView]

/** Returns the view with this id, path or name. */
export function getNamedView(client: ApiClient, word: string | undefined): Promise<View> {
  const kind = { noun: 'view', list: 'trustwright views list', namesOf: ({ path, name }: View) => [path, name] }
  return getByWord(word, viewsOf(client), kind)
}

function viewsOf(client: ApiClient): AsyncGenerator<View> {
  return itemsOf((query) => client.GET('/v1/views', { params: { query } }))
}

function lineOf({ id, profile, issuer, name }: View): string {
  return [id, profile.padEnd(8), issuer, terminalText(name)].join('  ')
}

/** Returns the values of an option that can be repeated and has choices. Throws a `UsageError` that names them. */
function choicesOf<Choice extends string>(call: CommandCall, name: string, choices: readonly Choice[]): Choice[] {
  return textsOf(call, name).map((text) => {
    const choice = choices.find((each) => each === text)
    if (!choice) throw new UsageError(`--${name} must be one of ${choices.join(', ')}`)
    return choice
  })
}

async function configurationsIn(call: CommandCall, client: ApiClient): Promise<View['configurations']> {
  const names = textsOf(call, 'configuration')
  const profiles = choicesOf(call, 'credential-profile', profilesOfCredentials)
  if ((names.length === 0) === (profiles.length === 0))
    throw new UsageError('Give either --configuration or --credential-profile, at least once')
  return names.length === 0 ? { profiles } : { ids: await configurationIdsOf(client, names) }
}
