import type { Integration } from '../../../db/repos/ecosystems/integrations.ts'
import { allows, type Permission } from '../../../shared/access/permissions.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { LoteType } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import type { Caller } from '../../access/subjects.ts'

const walletList: LoteType = 'wallet-providers'
const permission: Permission = 'wallet-providers:write'

/**
 * Throws `forbidden` if a caller that must not add wallet providers adds or changes a list of them. Who manages ecosystems must not decide
 * which wallets receive credentials.
 */
export function requireMayAdmitWallets(
  caller: Caller | undefined,
  before: readonly Integration[],
  after: readonly Integration[],
): void {
  if (allows(caller, permission)) return
  const existing = new Set(before.map(textOf))
  const isNew = after.some((each) => each.loteType === walletList && !existing.has(textOf(each)))
  if (!isNew) return
  throw new Problem('forbidden', {
    message: `A list with the loteType ${walletList} admits wallets. To add or change it, the permission ${permission} is needed.`,
  })
}

function textOf({ loteType, url, enabled, trustAnchors }: Integration): string {
  return JSON.stringify([loteType, url, enabled, trustAnchors])
}
