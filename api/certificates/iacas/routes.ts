import { z } from 'zod'
import {
  type CertificateRow,
  findCertificate,
  isMade,
  listCertificates,
} from '../../../db/repos/certificates/certificates.ts'
import { findActiveAuthorities } from '../../../db/repos/certificates/signers.ts'
import { hasStatusUnder } from '../../../db/repos/status/lists.ts'
import { Problem } from '../../../shared/errors.ts'
import { createAudited, removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { given } from '../../http/representations/media.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { presentCertificate } from '../present.ts'
import { removeCertificate } from '../remove.ts'
import { activateIaca } from './activate.ts'
import { createIaca } from './create.ts'
import { answerCrl } from './crl.ts'
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

const inUse = 'In use: there are valid credentials whose status only status lists under it can tell'

export const iacaRoutes = [
  createAudited(iacas, {
    operation: 'createIaca',
    summary:
      'Create an issuing authority certificate authority: one whose key is kept here, or from a certificate of yours',
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
  removeAudited(iacas, {
    operation: 'deleteIaca',
    summary:
      'Delete an IACA that is not active, has no signers, and is not needed for status lists; its CRL goes with it',
    problems: ['conflict'],
    async permit({ tenantId, id, deps }) {
      if (await hasStatusUnder(deps.db.read, tenantId, id, deps.clock.now()))
        throw new Problem('conflict', { message: inUse })
    },
    remove: (tx, { tenantId, id, deps }) => removeCertificate(tx, { tenantId, kind: 'iaca', id, at: deps.clock.now() }),
  }),
  defineRoute({
    operation: 'retrieveIacaCrl',
    summary: 'The certificate revocation list of an IACA whose key is here',
    tag: iacas.tag,
    method: 'GET',
    path: '/v2/credentials/mobile/iacas/:iacaId/crl',
    access: anyone,
    event: 'MOBILE_CREDENTIAL_IACA_CRL_RETRIEVE',
    isReadByCrowds: true,
    params: z.object({ iacaId: z.string() }),
    status: 200,
    representations: { media: [given('application/pkix-crl')], etag: 'version', maxAgeSeconds: 'answered', cors: true },
    problems: ['not_found', 'no_crl', 'service_unavailable'],
    handle: ({ tenantId, params, deps }) => answerCrl(deps, tenantId, params.iacaId),
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
