import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Facts } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { tenantTexts } from './texts.ts'

/** The data of a tenant that its settings do not change: id, address, DID, and whether it is read-only. */
export function TenantFacts({ tenant: { id, baseUrl, did, isReadOnly } }: { tenant: Schemas['Tenant'] }) {
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
        [tenantTexts.changes, isReadOnly && say(tenantTexts.readOnly)],
        [commonTexts.id, <Id key="" value={id} />],
      ]}
    />
  )
}
