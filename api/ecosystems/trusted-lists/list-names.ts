import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'

/** The names of one kind of list in the API. */
export interface ListNames {
  kind: TrustedListKind
  /** The name in messages. */
  name: string
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
  name: 'VICAL',
  noun: 'Vical',
  path: '/v1/ecosystems/:ecosystemId/vicals',
  provider: 'vicalProvider',
  number: 'vicalIssueID',
  id: 'vicalIssueId',
  events: 'ECOSYSTEM_VICAL',
}

export const ricalNames: ListNames = {
  kind: 'rical',
  name: 'RICAL',
  noun: 'Rical',
  path: '/v1/ecosystems/:ecosystemId/ricals',
  provider: 'ricalProvider',
  number: 'ricalIssueID',
  id: 'ricalIssueId',
  events: 'ECOSYSTEM_RICAL',
}
