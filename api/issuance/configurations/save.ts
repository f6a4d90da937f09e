import type { Reader, Writer } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/engine/unique-violation.ts'
import { hold, holdShared } from '../../../db/hold.ts'
import {
  type ConfigurationContent,
  type ConfigurationRow,
  findConfiguration,
  findIdsByScope,
  insertConfiguration,
  updateConfiguration,
} from '../../../db/repos/issuance/configurations.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { claimSources } from '../../../db/tables/issuance/claim-sources.ts'
import { configurations } from '../../../db/tables/issuance/configurations.ts'
import type { CommonSettings } from '../../../shared/domain/issuance/profile-settings.ts'
import { type CredentialProfile, readProfileSettings } from '../../../shared/domain/issuance/profiles.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Write } from '../../http/collection.ts'
import { checkConfigurationContexts } from './contexts.ts'
import type { ConfigurationBody } from './profiles.ts'
import { publishType } from './publish-type.ts'
import { forgetConfiguration } from './recent.ts'
import { requireReusable } from './reuse-policy.ts'

export async function createConfiguration<Profile extends CredentialProfile>(
  deps: Deps,
  write: Write<ConfigurationRow>,
  tenant: Tenant,
  profile: Profile,
  { type: ownType, ...sent }: ConfigurationBody<Profile>,
): Promise<ConfigurationRow> {
  const tenantId = tenant.id
  const at = deps.clock.now()
  const id = newOrderedId(at)
  const type = ownType ?? id
  const settings = readProfileSettings(profile, sent)
  requireReusable(tenant, settings)
  const lockContexts = await checkConfigurationContexts(deps, tenantId, contextsOf(settings))
  const row = await write(async (tx) => {
    await enforceQuota(tx, tenantId, 'configurations')
    await checkReferences(tx, tenantId, settings)
    await lockContexts(tx)
    const content = await contentOf(tx, tenant, { id, profile, type, settings }, at)
    const inserted = await insertConfiguration(tx, tenantId, content, at)
    if (!inserted) throw await whatIsTaken(tx, tenantId, { id, type, settings })
    return inserted
  })
  forgetConfiguration(deps, tenantId, id)
  return row
}

/** Replaces a configuration with the body. Changes nothing if `requireMatch` throws. Throws `not_found` and `conflict`. */
export async function replaceConfiguration<Profile extends CredentialProfile>(
  deps: Deps,
  tenant: Tenant,
  profile: Profile,
  id: string,
  { type = id, ...sent }: ConfigurationBody<Profile>,
  requireMatch: (before: ConfigurationRow) => Promise<void>,
): Promise<ConfigurationRow> {
  const tenantId = tenant.id
  const settings = readProfileSettings(profile, sent)
  requireReusable(tenant, settings)
  const lockContexts = await checkConfigurationContexts(deps, tenantId, contextsOf(settings))
  try {
    const row = await deps.db.tx(async (tx) => {
      await checkReferences(tx, tenantId, settings)
      await lockContexts(tx)
      await hold(tx, configurations, tenantId, id)
      const before = await findConfiguration(tx, tenantId, id)
      if (before?.profile !== profile) return undefined
      await requireMatch(before)
      const content = await contentOf(tx, tenant, { id, profile, type, settings }, deps.clock.now())
      return updateConfiguration(tx, tenantId, content)
    })
    forgetConfiguration(deps, tenantId, id)
    if (!row) throw notFound('id', id)
    return row
  } catch (error) {
    if (isUniqueViolation(error)) throw await whatIsTaken(deps.db.read, tenantId, { id, type, settings })
    throw error
  }
}

function contextsOf(settings: CommonSettings & { contexts?: readonly string[] }): readonly string[] | undefined {
  return settings.contexts
}

/** Returns the content to store. The type of an SD-JWT VC follows from its settings and the version of its type metadata. */
async function contentOf<Profile extends CredentialProfile>(
  tx: Writer,
  tenant: Tenant,
  content: ConfigurationContent<Profile>,
  at: Date,
): Promise<ConfigurationContent<Profile>> {
  if (!isSdJwt(content)) return content
  const { id: configurationId, settings } = content
  const published = await publishType(tx, { tenant, configurationId, settings, at })
  // Boundary: the guard above checks the profile.
  return { ...content, ...published } as ConfigurationContent<Profile>
}

function isSdJwt(content: ConfigurationContent<CredentialProfile>): content is ConfigurationContent<'sd-jwt'> {
  return content.profile === 'sd-jwt'
}

/** Locks the rows that the configuration refers to, so that they still exist when the transaction ends. */
async function checkReferences(
  tx: Writer,
  tenantId: string,
  { claimSourceId, signerCaId }: CommonSettings & { signerCaId?: string },
): Promise<void> {
  if (claimSourceId !== undefined && !(await holdShared(tx, claimSources, tenantId, claimSourceId))) {
    throw unknownReference('claimSourceId', claimSourceId, 'GET /v1/claim-sources')
  }
  if (signerCaId === undefined) return
  const ca = await holdShared(tx, certificates, tenantId, signerCaId)
  if (ca?.kind !== 'iaca') throw unknownReference('signerCaId', signerCaId, 'GET /v2/credentials/mobile/iacas')
}

/** Returns the conflict with another configuration: of the scope, or else of the type. */
async function whatIsTaken(
  db: Reader,
  tenantId: string,
  { id, type, settings: { scope } }: { id: string; type: string; settings: CommonSettings },
): Promise<Problem> {
  const [ofScope] = scope === undefined ? [] : await findIdsByScope(db, tenantId, [scope])
  if (scope === undefined || ofScope === undefined || ofScope === id) return taken('type', type)
  return taken('scope', scope)
}

function taken(param: 'type' | 'scope', value: string): Problem {
  const msg = `Another configuration has this ${param}. Choose another ${param}.`
  return new Problem('conflict', { details: [{ value, msg, param, location: 'body' }] })
}
