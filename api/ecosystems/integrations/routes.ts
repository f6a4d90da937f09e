import { z } from 'zod'
import { chunksOf } from '../../../db/repos/chunks.ts'
import { requestSync } from '../../../db/repos/ecosystems/due-integrations.ts'
import { findEcosystemNames } from '../../../db/repos/ecosystems/ecosystems.ts'
import { findIntegrations } from '../../../db/repos/ecosystems/integrations.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { described, idOf } from '../../http/fields.ts'
import { providerAccess } from '../ecosystems/access.ts'
import { IntegrationFormatSchema } from '../ecosystems/schemas.ts'
import { integratedCertificatesRoute } from './certificates-route.ts'

const SyncView = z.object({
  tenantConfiguration: z
    .object({
      ecosystems: z
        .array(
          z.object({
            id: idOf('ecosystem'),
            name: described(z.string(), 'The display name', 'Driving licences'),
          }),
        )
        .describe('The ecosystems of the tenant'),
    })
    .describe('The configuration of the tenant'),
  integrations: z
    .array(
      z.object({
        format: described(IntegrationFormatSchema, 'The format of the list', 'VICAL'),
        url: described(z.string(), 'The URL at which the list is published', 'https://lists.example.org/vical.cbor'),
        enabled: z.boolean().describe('Whether the list is fetched'),
      }),
    )
    .describe('The external lists of all ecosystems. Enabled lists are fetched.'),
})

export const integrationRoutes = [
  defineAuditedRoute({
    operation: 'syncEcosystems',
    summary:
      'Request a fetch of the external lists of all ecosystems as soon as possible. The integrations of the ecosystems show the results.',
    tag: 'Ecosystems',
    method: 'POST',
    path: '/v1/ecosystems/sync',
    access: providerAccess,
    event: 'ECOSYSTEM_TENANT_SYNC_ALL',
    status: 202,
    response: SyncView,
    problems: [],
    handle: ({ tenantId, deps, change, commitAnswer }) =>
      change(async (tx, record) => {
        record(tenantId, { integrations: await requestSync(tx, tenantId, deps.clock.now()) })
        const ecosystems = await findEcosystemNames(tx, tenantId)
        const rows = []
        for (const ids of chunksOf(ecosystems.map(({ id }) => id)))
          rows.push(...(await findIntegrations(tx, tenantId, ids)))
        const integrations = rows.map(({ format, url, enabled }) => ({ format, url, enabled }))
        const view = { tenantConfiguration: { ecosystems }, integrations }
        await commitAnswer(tx, view)
        return view
      }),
  }),
  integratedCertificatesRoute,
]
