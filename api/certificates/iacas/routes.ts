import {
  type CertificateRow,
  findCertificate,
  isMade,
  listCertificates,
} from '../../../db/repos/certificates/certificates.ts'
import { findActiveAuthorities } from '../../../db/repos/certificates/signers.ts'
import { createAudited, replaceAudited } from '../../audit/audited-crud.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { presentCertificate } from '../present.ts'
import { activateIaca } from './activate.ts'
import { createIaca } from './create.ts'
import { IacaChanges, IacaView, NewIaca, PublishedIacas } from './schemas.ts'

const iacas: Collection<CertificateRow> = {
  tag: 'IACAs',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v2/credentials/mobile/iacas',
  id: 'iacaId',
  events: 'MOBILE_CREDENTIAL_IACA',
  view: IacaView,
  present: (row) => ({ id: row.id, active: row.isActive, isManaged: row.isManaged, ...presentCertificate(row) }),
}

export const iacaRoutes = [
  createAudited(iacas, {
    operation: 'createIaca',
    summary: 'Create an issuing authority certificate authority, whose key is kept here; it is not active yet',
    body: NewIaca,
    problems: ['conflict', 'service_unavailable'],
    handle: ({ tenantId, body, deps, change, deadlineAt }) => createIaca(deps, change, tenantId, body, deadlineAt),
  }),
  listOf(iacas, {
    operation: 'retrieveIacas',
    summary: 'List the IACAs',
    rows: ({ tenantId, query, deps }) => listCertificates(deps.db.read, tenantId, 'iaca', query),
  }),
  retrieve(iacas, {
    operation: 'retrieveIaca',
    summary: 'Retrieve an IACA',
    find: ({ tenantId, id, deps }) => findCertificate(deps.db.read, tenantId, 'iaca', id),
  }),
  replaceAudited(iacas, {
    operation: 'updateIaca',
    summary: 'Make an IACA active or inactive',
    body: IacaChanges,
    handle: ({ tenantId, id, body, deps, change }) => activateIaca(deps, change, { tenantId, id, ...body }),
  }),
  defineRoute({
    operation: 'retrievePublishedIacas',
    summary: 'The IACAs under which credentials are signed, as `mdoc_iacas_uri` of the metadata has it',
    tag: 'Discovery',
    method: 'GET',
    path: '/v1/openid/iacas',
    access: anyone,
    status: 200,
    response: PublishedIacas,
    representations: { maxAgeSeconds: 60, cors: true },
    async handle({ tenantId, deps }) {
      const rows = await findActiveAuthorities(deps.db.read, tenantId, 'iaca', deps.clock.now())
      return { iacas: rows.filter(isMade).map(({ certificate }) => ({ certificate: certificate.toString('base64') })) }
    },
  }),
]
