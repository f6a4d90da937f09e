import { type ApiClient, dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import { rootNameOf } from '../../../../shared/domain/certificates/root-name.ts'
import { type Command, textOf, UsageError } from '../command.ts'

export const createRoot: Command = {
  name: 'certificates create-root',
  usage: '',
  summary: 'Create the root certificate (IACA) that signs mobile credentials and SD-JWT VCs',
  details: [
    'The root is active, has its signers and is valid for ten years. The service stores its key.',
    'If a root signs already, the command creates none, so it can be repeated.',
  ],
  options: {
    country: { type: 'string', value: 'CODE', help: 'The country, two upper-case letters (ISO 3166-1)' },
    name: { type: 'string', value: 'TEXT', help: 'The common name. Default: the name of the tenant and "root"' },
    another: { type: 'boolean', help: 'Create a root that replaces the one that signs now' },
  },
  examples: [
    'trustwright certificates create-root --country NZ',
    "trustwright certificates create-root --country NZ --name 'Harbour University Root' --json",
  ],
  async run(call) {
    const country = textOf(call, 'country')
    if (country === undefined) throw new UsageError('--country is required. Give two upper-case letters, such as NZ.')
    const client = await call.client()
    if (call.values.another !== true) await requireNoRoot(client)
    const commonName = textOf(call, 'name') ?? rootNameOf(await tenantName(client))
    const root = await dataOf(
      client.POST('/v2/credentials/mobile/iacas', { body: { commonName, country, active: true } }),
    )
    const lines = [
      `Root:    ${commonName} (${country}), active`,
      `Id:      ${root.id}`,
      `Expires: ${root.certificateData.notAfter}`,
      'Verifiers get its certificate from /v1/openid/iacas.',
    ]
    call.print(root, lines.join('\n'))
  },
}

/** Throws if an IACA signs now. A newer one would replace it before verifiers trust the newer one. */
async function requireNoRoot(client: ApiClient): Promise<void> {
  const { data } = await dataOf(client.GET('/v1/overview/signing-roots'))
  const root = data.find(({ iacaId }) => iacaId !== undefined)
  if (!root) return
  throw new UsageError(
    `The root ${root.commonName} (${root.iacaId}) signs already. Give --another to create one that replaces it.`,
  )
}

/** Only an admin may read the settings. */
async function tenantName(client: ApiClient): Promise<string> {
  try {
    return (await dataOf(client.GET('/v1/settings'))).name
  } catch (error) {
    if (error instanceof TrustwrightError && error.status === 403)
      throw new UsageError('--name is required, because the client may not read the name of the tenant.')
    throw error
  }
}
