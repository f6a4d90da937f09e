import { type IntegrationFormat, loteFormat } from '../../../shared/domain/ecosystems/integrations.ts'
import { type LoteType, loteProfiles } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'

interface LoteMembers {
  format: IntegrationFormat
  loteType?: LoteType | undefined
  types?: readonly string[] | undefined
}

/** Returns the member of an integration that does not belong to its format, or to its type of list. */
export function findLoteMemberFault({ format, loteType, types }: LoteMembers) {
  const isLote = format === loteFormat
  if (isLote && !loteType) return { member: 'loteType', message: `Is required if the format is ${loteFormat}` }
  if (!isLote && loteType) return { member: 'loteType', message: `Must be absent unless the format is ${loteFormat}` }
  const mayHaveTypes = loteType !== undefined && loteProfiles[loteType].listsIssuers
  if (types && !mayHaveTypes) return { member: 'types', message: 'Must be absent unless the list is of issuers' }
  return undefined
}
