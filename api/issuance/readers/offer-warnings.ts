import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { readMetadata } from '../metadata/metadata.ts'
import { readRecentMetadata } from '../metadata/published.ts'
import type { JsonMembers } from './check.ts'
import { findReaders, type WalletReader } from './find-readers.ts'

interface Offer extends JsonMembers {
  credential_configuration_ids: string[]
}

interface Warning {
  code: 'unreadable'
  message: string
}

/** Returns a warning for each wallet family of the tenant that cannot read the offer, or not all of its configurations. */
export async function readerWarnings(deps: Deps, tenant: Tenant, offer: Offer): Promise<Warning[]> {
  const { walletFamilies } = tenant.settings
  if (walletFamilies.length === 0) return []
  const ids = offer.credential_configuration_ids
  const { issuer, server } = await metadataWith(deps, tenant, ids)
  const readers = findReaders({ issuerMetadata: issuer, serverMetadata: server, offer }, [...new Set(walletFamilies)])
  return readers.flatMap((reader) => warningsOf(reader, ids))
}

/** Returns the metadata. Those of the cache can lack a configuration that another process has just created. */
async function metadataWith(deps: Deps, tenant: Tenant, ids: readonly string[]) {
  const recent = await readRecentMetadata(deps, tenant)
  const { credential_configurations_supported: configurations } = recent.issuer
  return ids.every((id) => Object.hasOwn(configurations, id)) ? recent : readMetadata(deps, tenant)
}

function warningsOf({ name, findings }: WalletReader, ids: readonly string[]): Warning[] {
  const ofIssuer = findings.filter(({ affects }) => affects === 'issuer')
  const ofOffered = findings.filter(({ configurationId }) => configurationId && ids.includes(configurationId))
  const [first, ...more] = ofIssuer.length > 0 ? ofIssuer : ofOffered
  if (!first) return []
  const what = first.affects === 'issuer' ? 'cannot read this offer' : 'cannot read all credentials of this offer'
  const rest = more.length > 0 ? ` ${more.length} more findings: GET /v1/openid/configuration/readers.` : ''
  return [{ code: 'unreadable', message: `${name} ${what}. ${first.message} ${first.fix}${rest}` }]
}
