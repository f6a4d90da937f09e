import type { Writer } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import {
  type ConfigurationRow,
  insertConfiguration,
  updateConfiguration,
} from '../../../db/repos/issuance/configurations.ts'
import { claimSources } from '../../../db/tables/issuance/claim-sources.ts'
import type { CredentialProfile } from '../../../db/tables/issuance/configurations.ts'
import { isUniqueViolation } from '../../../db/unique-violation.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { requireRoom } from '../../access/require-room.ts'
import type { Deps } from '../../deps.ts'
import type { ConfigurationBody } from './profiles.ts'
import { forgetConfiguration } from './recent.ts'

export async function createConfiguration(
  { db, clock }: Deps,
  tenantId: string,
  profile: CredentialProfile,
  { type: given, ...settings }: ConfigurationBody,
): Promise<ConfigurationRow> {
  const id = newId()
  const type = given ?? id
  const row = await db.tx(async (tx) => {
    await requireRoom(tx, tenantId, 'configurations')
    await checkReferences(tx, tenantId, settings)
    return insertConfiguration(tx, tenantId, { id, profile, type, settings }, clock.now())
  })
  if (!row) throw typeTaken(type)
  return row
}

/** Puts the body in the place of everything that was there. */
export async function replaceConfiguration(
  deps: Deps,
  tenantId: string,
  profile: CredentialProfile,
  id: string,
  { type = id, ...settings }: ConfigurationBody,
): Promise<ConfigurationRow> {
  try {
    const row = await deps.db.tx(async (tx) => {
      await checkReferences(tx, tenantId, settings)
      return updateConfiguration(tx, tenantId, { id, profile, type, settings })
    })
    forgetConfiguration(deps, tenantId, id)
    if (!row) throw notFound('id', id)
    return row
  } catch (error) {
    if (isUniqueViolation(error)) throw typeTaken(type)
    throw error
  }
}

/** Holds what the configuration refers to, so that it is there when the transaction ends. */
async function checkReferences(tx: Writer, tenantId: string, { claimSourceId }: ConfigurationBody): Promise<void> {
  if (claimSourceId === undefined || (await holdShared(tx, claimSources, tenantId, claimSourceId))) return
  throw wrongField('claimSourceId', 'Resource Not Found', claimSourceId)
}

function typeTaken(type: string): Problem {
  return new Problem('conflict', {
    details: [{ value: type, msg: 'Another configuration has this type', param: 'type', location: 'body' }],
  })
}
