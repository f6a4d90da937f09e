import type { Writer } from '../../../db/client.ts'
import { findNewestSdJwtType, insertSdJwtType } from '../../../db/repos/issuance/sd-jwt-types.ts'
import type { SdJwtSettings } from '../../../shared/domain/issuance/profile-settings.ts'
import { sdJwtTypePath } from '../../../shared/domain/issuance/sd-jwt-types.ts'
import { resolveTree } from '../../../shared/formats/sd-jwt/claim-tree.ts'
import { buildTypeMetadata, integrityOf, type SdJwtType } from '../../../shared/formats/sd-jwt/type-metadata.ts'
import type { Tenant } from '../../access/subjects.ts'

interface Publication {
  tenant: Pick<Tenant, 'id' | 'baseUrl'>
  configurationId: string
  settings: SdJwtSettings
  at: Date
}

/**
 * Publishes the type metadata of a configuration as a new version, if they differ from the newest version. Returns the type of the
 * credentials and the settings to store. The caller holds the configuration, so that versions follow each other.
 */
export async function publishType(
  tx: Writer,
  { tenant, configurationId, settings: sent, at }: Publication,
): Promise<{ type: string; settings: SdJwtSettings }> {
  const { vct, ...settings } = sent
  const urlOf = (version: number | string) => tenant.baseUrl + sdJwtTypePath(configurationId, version)
  // The response of an earlier request has the default type. It is no choice of the operator.
  const chosen = vct?.startsWith(urlOf('')) ? undefined : vct
  const tree = resolveTree(settings.claimMappings, settings.disclose)
  const documentOf = (version: number) => buildTypeMetadata(typeOf(settings, chosen ?? urlOf(version)), tree)

  const newest = await findNewestSdJwtType(tx, tenant.id, configurationId)
  const isCurrent = newest !== undefined && documentOf(newest.version).equals(newest.content)
  const version = isCurrent ? newest.version : (newest?.version ?? 0) + 1
  const content = documentOf(version)
  if (!isCurrent) await insertSdJwtType(tx, { configurationId, version, tenantId: tenant.id, content, createdAt: at })
  const url = urlOf(version)
  const publishedType = { url, integrity: integrityOf(content) }
  return {
    type: chosen ?? url,
    settings: { ...settings, ...(chosen !== undefined && { vct: chosen }), publishedType },
  }
}

/** A rendering needs a display. Without one, the name of the configuration is the display of all languages. */
function typeOf(settings: Omit<SdJwtSettings, 'vct'>, vct: string): SdJwtType {
  const { name, description, display, typeMetadata = {} } = settings
  const texts = { name, ...(description !== undefined && { description }) }
  return { vct, ...texts, display: display ?? [texts], ...typeMetadata }
}
