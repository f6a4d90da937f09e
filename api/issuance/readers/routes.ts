import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { Tenant } from '../../access/subjects.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { metadataOf, readFacts, type TenantFacts } from '../metadata/metadata.ts'
import { findReaders, type WalletReader } from './find-readers.ts'
import { maxFindings, ReadersView } from './schemas.ts'

export const readerRoutes = [
  defineRoute({
    operation: 'retrieveReaders',
    summary: 'Check which wallet families can read the metadata of the issuer and of its views, and what to change',
    tag: 'Discovery',
    method: 'GET',
    path: '/v1/openid/configuration/readers',
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'CREDENTIAL_PROVIDER_OPENID_CONFIGURATION_READERS_RETRIEVE',
    status: 200,
    response: ReadersView,
    async handle({ tenant, deps }) {
      const facts = await readFacts(deps, tenant)
      const families = readersOf(facts, tenant, maxFindings.ofTenant)
      const views: z.infer<typeof ReadersView>['views'] = []
      for (const throughView of tenant.throughViews) {
        await setImmediate() // lets other requests run
        const { view, issuer } = throughView
        if (view) views.push({ id: view.id, issuer, families: readersOf(facts, throughView, maxFindings.ofView) })
      }
      return { families, views }
    },
  }),
]

/** Returns what each family reads of the tenant, or of the view through which it is seen. */
function readersOf(facts: TenantFacts, tenant: Tenant, max: number): WalletReader[] {
  const { issuer, server } = metadataOf(facts, tenant)
  const readers = findReaders({ issuerMetadata: issuer, serverMetadata: server })
  return readers.map((reader) => ({ ...reader, findings: reader.findings.slice(0, max) }))
}
