import type { Schemas } from '../../kit/api.ts'
import { Facts } from '../../kit/bits.tsx'
import { Id } from '../../kit/copy.tsx'
import { tenantTexts } from './texts.ts'

/** What never changes of a tenant: where it is reached, and by which DID it is known. */
export function TenantFacts({ tenant: { id, baseUrl, did } }: { tenant: Schemas['Tenant'] }) {
  return (
    <Facts
      of={[
        [tenantTexts.address, baseUrl],
        [
          tenantTexts.consoleOf,
          <a key="" href={`${baseUrl}/console/`} target="_blank" rel="noreferrer">
            {baseUrl}/console/ ↗
          </a>,
        ],
        [tenantTexts.did, <Id key="" value={did} />],
        [{ en: 'Id', de: 'ID' }, <Id key="" value={id} />],
      ]}
    />
  )
}
