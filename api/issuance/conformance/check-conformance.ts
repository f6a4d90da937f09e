import type { z } from 'zod'
import { findActiveAuthorities, findSigner } from '../../../db/repos/certificates/signers.ts'
import { findWalletProviderRoots } from '../../../db/repos/issuance/wallet-providers.ts'
import { hasAttestedWallet } from '../../../db/repos/issuance/wallets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { readMetadata } from '../metadata/metadata.ts'
import { type ConformanceInput, type RequirementName, requirements } from './requirements.ts'
import type { ConformanceView } from './schemas.ts'

/** Checks the current metadata and settings of a tenant against all requirements. */
export async function checkConformance(deps: Deps, tenant: Tenant): Promise<z.output<typeof ConformanceView>> {
  const [metadata, roots, isWalletTrusted, hasSigner] = await Promise.all([
    readMetadata(deps, tenant),
    findWalletProviderRoots(deps.db.read, tenant.id),
    hasAttestedWallet(deps.db.read, tenant.id),
    hasSdJwtSigner(deps, tenant.id),
  ])
  const input: ConformanceInput = { tenant, metadata, trustsWallets: roots.length > 0 || isWalletTrusted, hasSigner }
  // Boundary: the keys of an object are its names.
  const names = Object.keys(requirements) as RequirementName[]
  const checked = names.map((name) => {
    const { clause, text, isMet, ...others } = requirements[name]
    const change = 'change' in others ? { change: others.change } : {}
    return isMet(input) ? { name, clause, text, isMet: true } : { name, clause, text, isMet: false, ...change }
  })
  return { specification: 'HAIP 1.0', conforms: checked.every((each) => each.isMet), requirements: checked }
}

/** Below a managed authority, the service creates a missing signer. */
async function hasSdJwtSigner({ db, clock }: Deps, tenantId: string): Promise<boolean> {
  const at = clock.now()
  const authorities = await findActiveAuthorities(db.read, tenantId, 'iaca', at)
  if (authorities.some(({ isManaged }) => isManaged)) return true
  return (await findSigner(db.read, tenantId, { kind: 'sd-jwt-signer', at, until: at })) !== undefined
}
