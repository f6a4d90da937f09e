import type { Writer } from '../../../db/client.ts'
import { findConsoleLink, spendConsoleLink } from '../../../db/repos/console/links.ts'
import { findClient, hasSecret } from '../../../db/repos/tenancy/clients.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import type { Deps } from '../../deps.ts'

/** Verified sign-in data, and the client that it signs in. */
export interface SignInMethod {
  clientId: string
  /** The hash of the client's secret. The transaction that begins the session checks that the secret is still valid. */
  clientSecretHash: string
  /** The data for the audit log. */
  auditData: { linkId?: string }
  /** Uses up a one-time link. Call it first in the transaction. Returns false if another request has used it. */
  spend(tx: Writer): Promise<boolean>
  /** Returns the problem for sign-in data that is no longer valid. */
  problem(): Problem
}

/** Verifies a client id and secret. Throws `access_denied`. */
export async function verifyClientSecret(
  { db }: Deps,
  tenantId: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  at: Date,
): Promise<SignInMethod> {
  const client = await findClient(db.read, tenantId, clientId)
  if (!hasSecret(client, clientSecret, at)) throw wrongSecret()
  const clientSecretHash = hashSecret(clientSecret)
  return { clientId, clientSecretHash, auditData: {}, spend: async () => true, problem: wrongSecret }
}

/** Verifies the code of a console link. Throws `access_denied` if the link is unknown or expired. */
export async function verifyConsoleLink({ db }: Deps, tenantId: string, code: string, at: Date): Promise<SignInMethod> {
  const link = await findConsoleLink(db.read, tenantId, idOfSecret(code))
  if (!link || !equalInConstantTime(hashSecret(code), link.secretHash)) throw wrongLink()
  const { id, clientId, clientSecretHash } = link
  const spend: SignInMethod['spend'] = (tx) => spendConsoleLink(tx, tenantId, id, at)
  return { clientId, clientSecretHash, auditData: { linkId: id }, spend, problem: wrongLink }
}

function wrongSecret(): Problem {
  const message = 'The client id or the client secret is wrong'
  return new Problem('access_denied', { message, isWrongSecret: true })
}

/** The same message for every cause, so that a guess reveals nothing about a link. */
function wrongLink(): Problem {
  const message = 'The link is invalid, used or expired. A link signs in once, within 15 minutes. Request a new link.'
  return new Problem('access_denied', { message, isWrongSecret: true })
}
