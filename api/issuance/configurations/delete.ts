import type { Writer } from '../../../db/client.ts'
import {
  deleteConfiguration,
  findConfiguration,
  isOffered,
  isShared,
} from '../../../db/repos/issuance/configurations.ts'
import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import type { Deps } from '../../deps.ts'
import { forgetConfiguration } from './recent.ts'

/** Deletes a configuration that no usable offer names, of either kind. */
export async function removeConfiguration(
  deps: Deps,
  tenantId: string,
  profile: CredentialProfile,
  id: string,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const found = await findConfiguration(tx, tenantId, id)
    if (found?.profile !== profile) throw notFound('id', id)
    // One that is offered all the time is held all the time: it is refused without waiting for its turn.
    await refuseOffered(tx, deps, tenantId, id)
    // Then it is deleted first: offers that are being made hold it, and are seen by the question after that.
    if (!(await deleteConfiguration(tx, tenantId, id, profile))) throw notFound('id', id)
    await refuseOffered(tx, deps, tenantId, id)
  })
  forgetConfiguration(deps, tenantId, id)
}

async function refuseOffered(tx: Writer, { clock }: Deps, tenantId: string, id: string): Promise<void> {
  const isPreAuthorized = await isOffered(tx, tenantId, id, clock.now())
  if (!isPreAuthorized && !(await isShared(tx, tenantId, id))) return
  const offers = isPreAuthorized ? 'Pre-authorized offers, usable for ten minutes at most,' : 'Offers for who signs in'
  throw new Problem('conflict', {
    message: `${offers} name this configuration: delete them first; /v1/openid/offers?state=usable&configurationId=${id} lists them`,
  })
}
