import { z } from 'zod'
import { chunksOf } from '../../../db/repos/chunks.ts'
import { askForSync } from '../../../db/repos/ecosystems/due-integrations.ts'
import { findEcosystemNames } from '../../../db/repos/ecosystems/ecosystems.ts'
import { findIntegrations } from '../../../db/repos/ecosystems/integrations.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { described, idOf } from '../../http/fields.ts'
import { providers } from '../ecosystems/access.ts'
import { IntegrationFormatSchema } from '../ecosystems/schemas.ts'
import { integratedCertificatesRoute } from './certificates-route.ts'

const SyncView = z.object({
  tenantConfiguration: z
    .object({
      ecosystems: z
        .array(
          z.object({
            id: idOf('ecosystem'),
            name: described(z.string(), 'What people call it', 'Driving licences'),
          }),
        )
        .describe('Whose lists are fetched'),
    })
    .describe('What the tenant has'),
  integrations: z
    .array(
      z.object({
        format: described(IntegrationFormatSchema, 'The format of the list', 'VICAL'),
        url: described(z.string(), 'Where the list is published', 'https://lists.example.org/vical.cbor'),
        enabled: z.boolean().describe('Whether it is fetched'),
      }),
    )
    .describe('Of all ecosystems. Those that are enabled are fetched'),
})

export const integrationRoutes = [
  defineAuditedRoute({
    operation: 'syncEcosystems',
    summary:
      'Fetch the lists of others that the ecosystems take over, as soon as may be; what came of it is in their integrations',
    tag: 'Ecosystems',
    method: 'POST',
    path: '/v1/ecosystems/sync',
    access: providers,
    event: 'ECOSYSTEM_TENANT_SYNC_ALL',
    status: 202,
    response: SyncView,
    problems: [],
    handle: ({ tenantId, deps, change }) =>
      change(async (tx, tell) => {
        tell(tenantId, { integrations: await askForSync(tx, tenantId, deps.clock.now()) })
        const ecosystems = await findEcosystemNames(tx, tenantId)
        const found = []
        for (const ids of chunksOf(ecosystems.map(({ id }) => id)))
          found.push(...(await findIntegrations(tx, tenantId, ids)))
        const integrations = found.map(({ format, url, enabled }) => ({ format, url, enabled }))
        return { tenantConfiguration: { ecosystems }, integrations }
      }),
  }),
  integratedCertificatesRoute,
]
