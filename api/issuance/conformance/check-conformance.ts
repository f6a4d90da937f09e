import type { z } from 'zod'
import { findWalletProviderRoots } from '../../../db/repos/issuance/wallet-providers.ts'
import { hasAttestedWallet } from '../../../db/repos/issuance/wallets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { readMetadata } from '../metadata/metadata.ts'
import { type ConformanceInput, type RequirementName, requirements } from './requirements.ts'
import type { ConformanceView } from './schemas.ts'

/** Checks the current metadata and settings of a tenant against all requirements. */
export async function checkConformance(deps: Deps, tenant: Tenant): Promise<z.output<typeof ConformanceView>> {
  const [metadata, roots, isWalletTrusted] = await Promise.all([
    readMetadata(deps, tenant),
    findWalletProviderRoots(deps.db.read, tenant.id),
    hasAttestedWallet(deps.db.read, tenant.id),
  ])
  const input: ConformanceInput = { tenant, metadata, trustsWallets: roots.length > 0 || isWalletTrusted }
  // Boundary: the keys of an object are its names.
  const names = Object.keys(requirements) as RequirementName[]
  const checked = names.map((name) => {
    const { clause, text, isMet, ...others } = requirements[name]
    const change = 'change' in others ? { change: others.change } : {}
    return isMet(input) ? { name, clause, text, isMet: true } : { name, clause, text, isMet: false, ...change }
  })
  return { specification: 'HAIP 1.0', conforms: checked.every((each) => each.isMet), requirements: checked }
}
