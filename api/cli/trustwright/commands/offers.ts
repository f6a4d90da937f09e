import { dataOf } from '../../../../shared/client/client.ts'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { type Command, jsonOf, textOf, textsOf, UsageError } from '../command.ts'
import { configurationIdsOf, configurationsOption } from '../configuration-ids.ts'
import { qrOf } from '../qr.ts'

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
    qr: { type: 'boolean', help: 'Show the offer as a QR code' },
  },
  examples: [
    `trustwright offers create --configuration 'Student card' --claims '{"given_name": "Ada"}' --qr`,
    'trustwright offers create --configuration ID --user ID --code --json',
  ],
  async run(call) {
    const configurations = textsOf(call, 'configuration')
    if (configurations.length === 0) throw new UsageError('--configuration is required')
    const claims = textOf(call, 'claims')
    const userId = textOf(call, 'user')
    const label = textOf(call, 'label')
    const client = await call.client()
    const credentials = await configurationIdsOf(client, configurations)
    const offer = await dataOf(
      client.POST('/v1/openid/offers/pre-authorized', {
        body: {
          credentials,
          by: 'reference',
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
  },
}

function objectOf(value: unknown): Record<string, unknown> {
  if (isJsonObject(value)) return { ...value }
  throw new UsageError('--claims must be a JSON object')
}
