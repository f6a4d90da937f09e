import { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { type CertificateRow, findCertificate, listCertificates } from '../../../db/repos/certificates/certificates.ts'
import { hasStatusUnder } from '../../../db/repos/status/lists.ts'
import { authorityPaths, certificateEvents } from '../../../shared/domain/certificates/certificates.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { type AuthorityKind, certificateProfiles } from '../../../shared/formats/x509/profiles.ts'
import { createAuditedWithKeys } from '../../audit/audited-crud.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Deps } from '../../deps.ts'
import type { ItemCall, Versioned } from '../../http/collection.ts'
import { described, exampleId } from '../../http/fields.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, type OperatorAccess, operators, type Route } from '../../http/route.ts'
import { presentCertificate, presentKey } from '../present.ts'
import { removeCertificate } from '../remove.ts'
import { activateAuthority } from './activate.ts'
import { createAuthority } from './create.ts'
import { answerCrl } from './crl.ts'
import { publishedRoutes } from './published.ts'
import { AuthorityChanges, authorityView, NewEcosystemCa, NewIaca } from './schemas.ts'

interface Names {
  word: string
  tag: string
  param: string
  access: OperatorAccess
  /** The roles that can read the authorities. */
  readers: OperatorAccess
  /** The event type of a CRL request. */
  crlEvent: string
  /** The full name of the authority in the summary of the create operation. */
  written: string
  body: typeof NewIaca | typeof NewEcosystemCa
  whenDeleted: string
}

const issuing = operators('admin', 'issuer', 'managed-issuer')

export const authorityRoutes: Route[] = [
  ...routesOf('iaca', {
    ...{ word: 'Iaca', tag: 'IACAs', param: 'iacaId', access: issuing, readers: issuing, body: NewIaca },
    crlEvent: 'MOBILE_CREDENTIAL_IACA_CRL_RETRIEVE',
    written: 'issuing authority certificate authority',
    whenDeleted: 'that is inactive, has no signers, and is not needed for status lists. Its CRL is deleted with it.',
  }),
  ...routesOf('ecosystem-ca', {
    ...{ word: 'EcosystemCa', tag: 'Ecosystem certificates', param: 'dtsCaCertificateId', body: NewEcosystemCa },
    access: operators('admin', 'dts-provider'),
    readers: operators('admin', 'dts-provider', 'dts-consumer'),
    crlEvent: 'ECOSYSTEM_CA_CERTIFICATE_CRL_RETRIEVE',
    written: 'ecosystem CA, under which trusted lists are signed',
    whenDeleted:
      'that is inactive. Its CRL is deleted with it. The signers of a managed CA are deleted with it. Delete the signers of an external CA first.',
  }),
  ...publishedRoutes,
]

/** The name of the kind in the examples of the API reference. */
function thingOf(kind: AuthorityKind): string {
  return kind === 'iaca' ? 'IACA' : 'ecosystem CA'
}

function routesOf(kind: AuthorityKind, names: Names): Route[] {
  const { word, tag, access, param, body } = names
  const { article, name } = certificateProfiles[kind]
  const authorities: Versioned<CertificateRow> = {
    ...{
      tag,
      access,
      path: authorityPaths[kind],
      id: param,
      events: certificateEvents[kind],
      view: authorityView(thingOf(kind)),
    },
    hasVersions: true,
    present,
  }
  return [
    createAuditedWithKeys(authorities, {
      operation: `create${word}`,
      summary: `Create an ${names.written}: a managed one with a new key, or an external one from your certificate`,
      body,
      problems: ['conflict', 'service_unavailable'],
      async handle({ tenantId, body, deps, change, deadlineAt }) {
        const row = await createAuthority(deps, change, { tenantId, kind, body, deadlineAt })
        forgetChains(deps, tenantId)
        return row
      },
    }),
    ...auditedCrudOf(authorities, {
      name: word,
      readers: names.readers,
      list: {
        summary: `List the ${name}s`,
        rows: (db, tenantId, page) => listCertificates(db, tenantId, kind, page),
      },
      retrieve: {
        summary: `Retrieve ${article} ${name}`,
        find: (db, tenantId, id) => findCertificate(db, tenantId, kind, id),
      },
      update: {
        summary: `Activate or deactivate ${article} ${name}`,
        body: AuthorityChanges,
        async handle({ tenantId, id, body, deps, change, requireMatch }) {
          const row = await activateAuthority(deps, change, { tenantId, kind, param, id, ...body, requireMatch })
          forgetChains(deps, tenantId)
          return row
        },
      },
      delete: {
        summary: `Delete ${article} ${name} ${names.whenDeleted}`,
        problems: ['conflict'],
        needs: { [param]: { active: [false] } },
        permit: ({ tenantId, id, deps }) => permitRemoval(deps, tenantId, kind, id),
        remove: (tx, call) => removeAuthority(tx, kind, call),
      },
    }),
    crlRoute(kind, names),
  ]
}

async function present(row: CertificateRow, { deps }: { deps: Pick<Deps, 'db'> }) {
  const { id, isActive: active, isManaged } = row
  return { id, active, isManaged, ...(await presentKey(deps.db.read, row)), ...presentCertificate(row) }
}

/** Signed metadata have a chain below an active IACA. */
function forgetChains({ caches }: Deps, tenantId: string): void {
  caches.forgetTenant(tenantId)
}

async function permitRemoval(deps: Deps, tenantId: string, kind: AuthorityKind, id: string): Promise<void> {
  if (kind !== 'iaca' || !(await hasStatusUnder(deps.db.read, tenantId, id, deps.clock.now()))) return
  const message = 'The IACA is in use. Status lists under it publish the status of credentials that are still valid.'
  throw new Problem('conflict', { message })
}

/**
 * Returns false if the authority does not exist. Throws `conflict` if the deletion needs an approval. An apply of files deletes several
 * objects with one request, which does not ask for one, and an authority can become inactive after the check of a request for its deletion
 * (api/approvals).
 */
async function removeAuthority(tx: Writer, kind: AuthorityKind, call: ItemCall<undefined>): Promise<boolean> {
  const { tenant, tenantId, id, deps } = call
  const isRemoved = await removeCertificate(tx, { tenantId, kind, id, at: deps.clock.now() })
  if (!isRemoved || deps.approvalId !== undefined) return isRemoved
  if (tenant.settings.approvals.authorityDeletions === undefined) return true
  const message = 'Another person must approve the deletion. Delete the authority by its id.'
  throw new Problem('conflict', { message })
}

function crlRoute(kind: AuthorityKind, { word, tag, param, crlEvent }: Names): Route {
  const { name } = certificateProfiles[kind]
  return defineRoute({
    operation: `retrieve${word}Crl`,
    summary: `Retrieve the certificate revocation list (CRL) of a managed ${name}`,
    tag,
    method: 'GET',
    path: `${authorityPaths[kind]}/:${param}/crl`,
    access: anyone,
    event: crlEvent,
    aggregatesAnonymousEvents: true,
    params: z.object({ [param]: described(z.string(), 'The id of the authority', exampleId(thingOf(kind))) }),
    status: 200,
    representations: {
      media: [handlerMedia('application/pkix-crl')],
      etag: 'version',
      maxAgeSeconds: 'answered',
      cors: true,
    },
    problems: ['not_found', 'no_crl', 'gone', 'service_unavailable'],
    handle: ({ tenantId, params, deps }) => answerCrl(deps, { tenantId, kind, param, id: params[param] ?? '' }),
  })
}
