import { z } from 'zod'
import { deleteSigned } from '../../../db/repos/credentials/signed.ts'
import { deleteStored } from '../../../db/repos/credentials/stored.ts'
import { deleteCredential } from '../../../db/repos/issuance/credentials.ts'
import { anonymizeEntries } from '../../../db/repos/status/erased-entries.ts'
import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { idOf } from '../../http/fields.ts'
import { operators, type Route } from '../../http/route.ts'

/** The same operation for every profile, for credentials issued to a wallet and for credentials signed directly. */
export const credentialRecordRoutes: Route[] = [
  deletion('compact', 'Compact', 'Compact', 'CREDENTIAL_COMPACT_DELETE'),
  deletion('compact-semantic', 'CompactSemantic', 'Compact semantic', 'CREDENTIAL_COMPACT_SEMANTIC_DELETE'),
  deletion('web-semantic', 'WebSemantic', 'Web semantic', 'CREDENTIAL_WEB_SEMANTIC_DELETE'),
  deletion('mobile', 'Mobile', 'Mobile', 'USER_CREDENTIAL_DELETE'),
  deletion('sd-jwt', 'SdJwt', 'SD-JWT VC', 'SD_JWT_CREDENTIAL_DELETE'),
]

function deletion(profile: CredentialProfile, word: string, tag: string, event: string): Route {
  return defineAuditedRoute({
    operation: `delete${word}Credential`,
    summary: `Delete the data of a ${profile} credential. A credential with an index in a status list is revoked.`,
    tag,
    method: 'DELETE',
    path: `/v2/credentials/${profile}/:id`,
    access: operators('admin', 'issuer', 'managed-issuer'),
    event,
    params: z.object({ id: idOf(`${profile} credential`) }),
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps, change }) {
      await change(async (tx, record) => {
        await deleteStored(tx, tenantId, id)
        const isDeleted =
          (await deleteCredential(tx, tenantId, id, profile)) ||
          (profile !== 'mobile' && (await deleteSigned(tx, tenantId, id, profile)))
        if (!isDeleted) throw notFound('id', id)
        // Revokes the credential, so that verifiers do not trust a credential that its issuer has deleted.
        await anonymizeEntries(tx, tenantId, [id], deps.clock.now())
        record(tenantId, { id })
      })
    },
  })
}
