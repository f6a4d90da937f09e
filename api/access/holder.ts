import { findSession } from '../../db/repos/sessions.ts'
import { Problem } from '../../shared/errors.ts'
import { hashSecret, idOfSecret } from '../../shared/ids.ts'
import { equalInConstantTime } from '../../shared/secrets.ts'
import type { Deps } from '../deps.ts'
import type { Holder, Tenant } from './subjects.ts'

/** The wallet behind `Authorization: Bearer <access token>`. The scheme's name is case-insensitive (RFC 9110, section 11.1). */
export async function authenticateHolder(deps: Deps, tenant: Tenant, authorization: string): Promise<Holder> {
  // RFC 6750, section 3.1: a request without authentication, or with a scheme not known here, is told so without an error.
  if (!/^bearer( |$)/i.test(authorization)) throw new Problem('missing_token')
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1]
  if (!token) throw new Problem('invalid_token')
  const session = await findSession(deps.db.read, tenant.id, idOfSecret(token))
  if (!session || !equalInConstantTime(hashSecret(token), session.tokenHash)) throw new Problem('invalid_token')
  if (session.expiresAt <= deps.clock.now()) throw new Problem('invalid_token')
  return {
    sessionId: session.id,
    userId: session.userId,
    offerId: session.offerId,
    clientId: session.clientId,
    configurationIds: session.configurationIds,
    credentialIdentifiers: session.credentialIdentifiers,
  }
}
