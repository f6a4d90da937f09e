import { type ConfigurationRow, insertConfiguration, updateConfiguration } from '../../db/repos/configurations.ts'
import type { CredentialProfile } from '../../db/tables/configurations.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { notFound, Problem, wrongField } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Deps } from '../deps.ts'
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
  checkReferences(settings)
  const row = await db.tx((tx) => insertConfiguration(tx, tenantId, { id, profile, type, settings }, clock.now()))
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
  checkReferences(settings)
  try {
    const row = await deps.db.tx((tx) => updateConfiguration(tx, tenantId, { id, profile, type, settings }))
    forgetConfiguration(deps, tenantId, id)
    if (!row) throw notFound('id', id)
    return row
  } catch (error) {
    if (isUniqueViolation(error)) throw typeTaken(type)
    throw error
  }
}

/** There are no claim sources: every id names nothing. */
function checkReferences({ claimSourceId }: ConfigurationBody): void {
  if (claimSourceId !== undefined) throw wrongField('claimSourceId', 'Resource Not Found', claimSourceId)
}

function typeTaken(type: string): Problem {
  return new Problem('conflict', {
    details: [{ value: type, msg: 'Another configuration has this type', param: 'type', location: 'body' }],
  })
}
