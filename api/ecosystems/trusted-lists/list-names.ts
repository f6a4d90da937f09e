import type { ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { loteTypeNames } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import { EcosystemParams } from '../ecosystems/access.ts'
import { LoteTypeSchema } from '../ecosystems/schemas.ts'

/** The names of one kind of list in the API. Lists of trusted entities have the same names for all their types. */
export interface ListNames {
  /** The kind. Absent if the path has a type of list, which is the kind. */
  kind?: ListKind
  /** The parameters of the path. */
  params: typeof EcosystemParams
  /** The name in messages. */
  name: string
  plural: string
  /** The name in operation ids. */
  noun: string
  /** The path of the lists in an ecosystem. */
  path: string
  /** The name of the provider field. */
  provider: string
  /** The name of the number field. */
  number: string
  /** The name of the path parameter with the number. */
  id: string
  /** The prefix of the events. */
  events: string
}

export const vicalNames: ListNames = {
  kind: 'vical',
  params: EcosystemParams,
  name: 'VICAL',
  plural: 'VICALs',
  noun: 'Vical',
  path: '/v1/ecosystems/:ecosystemId/vicals',
  provider: 'vicalProvider',
  number: 'vicalIssueID',
  id: 'vicalIssueId',
  events: 'ECOSYSTEM_VICAL',
}

export const ricalNames: ListNames = {
  kind: 'rical',
  params: EcosystemParams,
  name: 'RICAL',
  plural: 'RICALs',
  noun: 'Rical',
  path: '/v1/ecosystems/:ecosystemId/ricals',
  provider: 'ricalProvider',
  number: 'ricalIssueID',
  id: 'ricalIssueId',
  events: 'ECOSYSTEM_RICAL',
}

export const loteNames: ListNames = {
  params: EcosystemParams.extend({ loteType: LoteTypeSchema }),
  name: 'list of trusted entities',
  plural: 'lists of trusted entities',
  noun: 'Lote',
  path: '/v1/ecosystems/:ecosystemId/lotes/:loteType',
  provider: 'schemeOperatorName',
  number: 'loteSequenceNumber',
  id: 'loteSequenceNumber',
  events: 'ECOSYSTEM_LOTE',
}

/** Returns the kind of list that the parameters of a request name. */
export function listKindOf({ kind }: ListNames, params: object): ListKind {
  if (kind) return kind
  // Boundary: the schema of the parameters has checked the type.
  const type = loteTypeNames.find((each) => each === Reflect.get(params, 'loteType'))
  if (!type) throw new Error('the path has no type of list')
  return type
}
