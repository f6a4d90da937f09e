import { type ApiClient, dataOf } from '../../../../shared/client/client.ts'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { type Command, type CommandCall, jsonOf, textOf, textsOf, UsageError } from '../command.ts'
import { configurationIdsOf, configurationsOption } from '../configuration-ids.ts'
import { qrOf } from '../qr.ts'
import { getNamedView } from './views.ts'

export const offerCredentials: Command = {
  name: 'offers create',
  usage: '',
  summary: 'Offer credentials to one person',
  options: {
    configuration: configurationsOption,
    claims: { type: 'string', value: 'JSON', help: 'The claims of the person' },
    user: { type: 'string', value: 'ID', help: 'An existing user' },
    label: { type: 'string', value: 'TEXT', help: 'Your own reference of the offer. It is never issued' },
    code: { type: 'boolean', help: 'Require a transaction code' },
    view: { type: 'string', value: 'VIEW', help: 'The view that wallets read: its id, path or name' },
    'authorization-server': {
      type: 'string',
      value: 'SERVER',
      help: 'Offer to anyone who signs in at this server of the tenant: its id or its issuer',
    },
    qr: { type: 'boolean', help: 'Show the offer as a QR code' },
  },
  examples: [
    `trustwright offers create --configuration 'Student card' --claims '{"given_name": "Ada"}' --qr`,
    'trustwright offers create --configuration ID --user ID --code --json',
    "trustwright offers create --configuration 'Student card' --authorization-server https://login.example.org/realms/citizens",
  ],
  async run(call) {
    const configurations = textsOf(call, 'configuration')
    if (configurations.length === 0) throw new UsageError('--configuration is required')
    const authorizationServer = textOf(call, 'authorization-server')
    if (authorizationServer !== undefined) return offerAtServer(call, configurations, authorizationServer)
    const claims = textOf(call, 'claims')
    const userId = textOf(call, 'user')
    const label = textOf(call, 'label')
    const client = await call.client()
    const offered = await offeredBy(call, client, configurations)
    const offer = await dataOf(
      client.POST('/v1/openid/offers/pre-authorized', {
        body: {
          ...offered,
          ...(claims !== undefined && { claims: objectOf(jsonOf(claims, '--claims')) }),
          ...(userId !== undefined && { userId }),
          ...(label !== undefined && { label }),
          ...(call.values.code === true && { transactionCodeConfiguration: {} }),
        },
      }),
    )
    const lines = [
      ...(call.values.qr === true ? [await qrOf(offer.uri)] : []),
      `Offer:   ${offer.uri}`,
      `Page:    ${offer.page}`,
      ...(offer.transactionCode === undefined ? [] : [`Code:    ${offer.transactionCode}`]),
      `Expires: ${new Date(offer.expiresAt).toISOString()}`,
    ]
    call.print(offer, lines.join('\n'))
    return undefined
  },
}

/** Makes an offer for anyone who signs in at an authorization server of the tenant. */
async function offerAtServer(
  call: CommandCall,
  configurations: readonly string[],
  authorizationServer: string,
): Promise<undefined> {
  const others = ['claims', 'user', 'code'].filter((name) => call.values[name] !== undefined)
  if (others.length > 0)
    throw new UsageError(
      `The people of --authorization-server are not known yet. Leave out --${others.join(' and --')}`,
    )
  const client = await call.client()
  const label = textOf(call, 'label')
  const offered = await offeredBy(call, client, configurations)
  const body = { ...offered, authorizationServer, ...(label !== undefined && { label }) }
  const offer = await dataOf(client.POST('/v1/openid/offers', { body }))
  const lines = [
    ...(call.values.qr === true ? [await qrOf(offer.uri)] : []),
    `Offer:   ${offer.uri}`,
    `Page:    ${offer.page}`,
  ]
  call.print(offer, lines.join('\n'))
}

async function offeredBy(call: CommandCall, client: ApiClient, configurations: readonly string[]) {
  const credentials = await configurationIdsOf(client, configurations)
  const view = textOf(call, 'view')
  return {
    credentials,
    by: 'reference' as const,
    ...(view !== undefined && { view: (await getNamedView(client, view)).id }),
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  if (isJsonObject(value)) return { ...value }
  throw new UsageError('--claims must be a JSON object')
}
