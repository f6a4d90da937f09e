import type { Writer } from '../../../db/client.ts'
import { findConsoleLink, spendConsoleLink } from '../../../db/repos/console/links.ts'
import { findClient, hasSecret } from '../../../db/repos/tenancy/clients.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Deps } from '../../deps.ts'

/** Whom something that was sent signs in. */
export interface WayIn {
  clientId: string
  /** Of the client's secret that it hangs on: whether that is good still, is seen when the session begins. */
  clientSecretHash: string
  /** What the audit tells of it. */
  told: { linkId?: string }
  /** Takes what is good once. Called first in the transaction; false where somebody else got there first. */
  spend(tx: Writer): Promise<boolean>
  /** What is answered where it is not good any more. */
  wrong(): Problem
}

/** Throws `access_denied` where no client has this id and this secret. */
export async function openBySecret(
  { db }: Deps,
  tenantId: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  at: Date,
): Promise<WayIn> {
  const client = await findClient(db.read, tenantId, clientId)
  if (!hasSecret(client, clientSecret, at)) throw wrongSecret()
  const clientSecretHash = hashSecret(clientSecret)
  return { clientId, clientSecretHash, told: {}, spend: async () => true, wrong: wrongSecret }
}

/** Throws `access_denied` where there is no such link, or not any more. */
export async function openByLink({ db }: Deps, tenantId: string, code: string, at: Date): Promise<WayIn> {
  const link = await findConsoleLink(db.read, tenantId, idOfSecret(code))
  if (!link || !equalInConstantTime(hashSecret(code), link.secretHash)) throw wrongLink()
  const { id, clientId, clientSecretHash } = link
  const spend: WayIn['spend'] = (tx) => spendConsoleLink(tx, tenantId, id, at)
  return { clientId, clientSecretHash, told: { linkId: id }, spend, wrong: wrongLink }
}

function wrongSecret(): Problem {
  const message = 'No client of this host has this id and this secret'
  return new Problem('access_denied', { message, isWrongSecret: true })
}

/** In the same words whatever is wrong with it: who has only guessed learns nothing. */
function wrongLink(): Problem {
  const message = 'This link is not good, or not any more: a link signs in once, within 15 minutes. Ask for another one'
  return new Problem('access_denied', { message, isWrongSecret: true })
}
