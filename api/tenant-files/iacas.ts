import { addToOutbox } from '../../db/outbox.ts'
import { findCertificateRow } from '../../db/repos/certificates/certificates.ts'
import { insertAuthority } from '../certificates/authorities/create.ts'
import { NewIaca } from '../certificates/authorities/schemas.ts'
import type { Content, Kind } from './kind.ts'

/** IACAs. The signing process creates the key and the certificate of a managed one after the transaction. */
export const iacaKind: Kind = {
  name: 'iaca',
  path: '/v2/credentials/mobile/iacas',
  nameOf: (view) => contentOf(view).commonName,
  // Dates would differ in each tenant. An IACA is valid from its creation for the default period.
  kept: ['notBefore', 'notAfter'],
  defaults: { active: true },
  withKeys: {
    contentOf,
    async create({ deps, tenantId }, change, { active, ...content }) {
      const body = NewIaca.parse(content)
      const { id, isManaged } = await insertAuthority(deps, (work) => change(work), {
        ...{ tenantId, kind: 'iaca', body, isActive: active === true },
      })
      if (isManaged) {
        const payload = { tenantId, certificateId: id }
        await deps.db.tx((tx) => addToOutbox(tx, 'makeCertificate', [{ payload }], deps.clock.now()))
        deps.bus.poke()
      }
      return id
    },
    async readPending(db, tenantId, id) {
      const row = await findCertificateRow(db, tenantId, id)
      if (row?.kind !== 'iaca' || row.certificate !== null) return undefined
      return { id, active: row.isActive, isManaged: row.isManaged, certificateData: row.subject }
    },
  },
}

/** An external IACA is described by its certificate. */
function contentOf({ active, isManaged, certificatePem, certificateData }: Content): Content {
  if (isManaged !== true) return { active, certificatePem }
  const { commonName, country, stateOrProvinceName } = Object(certificateData)
  return { active, commonName, country, ...(stateOrProvinceName !== undefined && { stateOrProvinceName }) }
}
