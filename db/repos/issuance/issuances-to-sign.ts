import { and, eq, inArray } from 'drizzle-orm'
import { withSettings } from '../../../shared/domain/issuance/profiles.ts'
import type { Reader } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { constant, param, preparedByIds } from '../../engine/prepared.ts'
import { configurations } from '../../tables/issuance/configurations.ts'
import { issuances } from '../../tables/issuance/issuances.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'

/** The columns of a configuration that a signature needs. */
const signedColumns = {
  id: configurations.id,
  profile: configurations.profile,
  type: configurations.type,
  settings: configurations.settings,
}

/** A tenant that moves or has moved signs nothing here: the export would not have it, and the new installation signs deferred issuances. */
const isActive = inRow(tenants.state, constant('active'))

const toSignById = preparedByIds('issuances_to_sign', (db, ids) =>
  db
    .select({
      issuance: {
        id: issuances.id,
        tenantId: issuances.tenantId,
        sessionId: issuances.sessionId,
        offerId: issuances.offerId,
        authorizationId: issuances.authorizationId,
        userId: issuances.userId,
        configurationId: issuances.configurationId,
        state: issuances.state,
        claims: issuances.claims,
        validity: issuances.validity,
        holderKeys: issuances.holderKeys,
        viewId: issuances.viewId,
      },
      configuration: signedColumns,
      issuerDid: tenants.did,
    })
    .from(issuances)
    .innerJoin(
      configurations,
      and(eq(configurations.id, issuances.configurationId), inRow(configurations.tenantId, issuances.tenantId)),
    )
    .innerJoin(tenants, eq(tenants.id, issuances.tenantId))
    .where(and(inRow(issuances.tenantId, param('tenantId')), inArray(issuances.id, ids), isActive)),
)

/** An issuance with its configuration and issuer, as the signing process needs it. */
export type IssuanceToSign = Awaited<ReturnType<typeof findIssuancesToSign>>[number]

/** Returns the issuances of `ids` that exist and whose tenant is active, with their configurations, in no order. */
export async function findIssuancesToSign(db: Reader, tenantId: string, ids: string[]) {
  const rows = await toSignById(db, ids, { tenantId })
  return rows.map((row) => ({ ...row, configuration: withSettings(row.configuration) }))
}

const configurationsById = preparedByIds('configurations_to_sign', (db, ids) =>
  db
    .select({ configuration: signedColumns, issuerDid: tenants.did })
    .from(configurations)
    .innerJoin(tenants, eq(tenants.id, configurations.tenantId))
    .where(and(inRow(configurations.tenantId, param('tenantId')), inArray(configurations.id, ids), isActive)),
)

/** Returns the configurations of `ids` that exist and whose tenant is active, with their issuer, in no order. */
export async function findConfigurationsToSign(
  db: Reader,
  tenantId: string,
  ids: string[],
): Promise<Pick<IssuanceToSign, 'configuration' | 'issuerDid'>[]> {
  const rows = await configurationsById(db, ids, { tenantId })
  return rows.map((row) => ({ ...row, configuration: withSettings(row.configuration) }))
}
