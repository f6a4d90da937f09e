import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Facts } from '../../kit/elements.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { tenantTexts } from './texts.ts'

/** The fixed data of a tenant: id, address and DID. */
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
        [commonTexts.id, <Id key="" value={id} />],
      ]}
    />
  )
}
