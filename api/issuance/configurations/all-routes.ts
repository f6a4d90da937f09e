import { z } from 'zod'
import { type ConfigurationRow, listAllConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { mappingsOf } from '../../../shared/domain/issuance/claim-mappings.ts'
import { isRevocable } from '../../../shared/domain/issuance/profiles.ts'
import { countLeaves } from '../../../shared/formats/sd-jwt/claim-tree.ts'
import { described, named, shownIdOf, Timestamp } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { CredentialProfileSchema } from '../../status/credential-schemas.ts'
import { ExpiresIn } from './expires-in.ts'

const ListedConfiguration = named(
  'ListedConfiguration',
  'A configuration in the list of all profiles',
  z.object({
    id: shownIdOf('compact configuration'),
    profile: described(
      CredentialProfileSchema,
      'The profile, whose operations return the full configuration',
      'compact',
    ),
    type: described(z.string(), 'The type of its credentials', 'CourseCertificate'),
    name: described(z.string(), 'The name of its first display, or its type', 'Course certificate'),
    description: z.string().optional().describe('Its purpose, if it has a description'),
    expiresIn: ExpiresIn.optional().describe(
      'The lifetime of its credentials. Absent: its credentials have no expiry of their own',
    ),
    isRevocable: described(z.boolean(), 'Whether its credentials have an entry in a status list', true),
    claims: described(z.int(), 'The number of its claims', 1),
    createdAt: Timestamp.describe('When it was created'),
  }),
)

const ListQuery = PageQuery.extend({
  profile: CredentialProfileSchema.optional().describe('Returns only configurations of this profile'),
})

/** The list of all configurations. It emits no event, because consoles call it often. */
export const allConfigurationsRoutes = [
  defineRoute({
    operation: 'retrieveConfigurations',
    summary: 'List the credential configurations of all profiles with their main properties',
    tag: 'Overview',
    method: 'GET',
    path: '/v2/credentials/configurations',
    access: operators('admin', 'issuer', 'managed-issuer'),
    query: ListQuery,
    readsStandby: true,
    status: 200,
    response: pageOf(ListedConfiguration),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const rows = await listAllConfigurations(deps.db.read, tenantId, query)
      return toPage(rows, query.limit, ({ createdAt: at, id }) => ({ at, id }), present)
    },
  }),
]

function present(row: ConfigurationRow): z.infer<typeof ListedConfiguration> {
  const { id, profile, type, settings, createdAt } = row
  const { name, description } = shownOf(row)
  return {
    ...{ id, profile, type, name, claims: claimCountOf(row), createdAt: createdAt.toISOString() },
    ...(description !== undefined && { description }),
    ...(settings.expiresIn && { expiresIn: settings.expiresIn }),
    isRevocable: isRevocable(row),
  }
}

/** Returns the first display, as wallets show it. */
function shownOf(row: ConfigurationRow): { name: string; description?: string } {
  const [display] = row.settings.display ?? []
  if (display) return display
  if (row.profile === 'web-semantic' || row.profile === 'sd-jwt') return row.settings
  const branding = row.profile === 'mobile' ? row.settings.branding : undefined
  return { ...branding, name: branding?.name ?? row.type }
}

/** Returns the number of values. Objects and arrays of a claim tree do not count. */
function claimCountOf(row: ConfigurationRow): number {
  return row.profile === 'sd-jwt' ? countLeaves(row.settings.claimMappings) : mappingsOf(row).length
}
