import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'

/** What the lists of a kind are called on the wire. */
export interface ListWords {
  kind: TrustedListKind
  /** In messages. */
  name: string
  /** In the names of operations. */
  noun: string
  /** Under the ecosystem. */
  path: string
  provider: string
  number: string
  /** Of the parameter in paths. */
  id: string
  /** The prefix of the events. */
  events: string
}

export const vicalWords: ListWords = {
  kind: 'vical',
  name: 'VICAL',
  noun: 'Vical',
  path: '/v1/ecosystems/:ecosystemId/vicals',
  provider: 'vicalProvider',
  number: 'vicalIssueID',
  id: 'vicalIssueId',
  events: 'ECOSYSTEM_VICAL',
}

export const ricalWords: ListWords = {
  kind: 'rical',
  name: 'RICAL',
  noun: 'Rical',
  path: '/v1/ecosystems/:ecosystemId/ricals',
  provider: 'ricalProvider',
  number: 'ricalIssueID',
  id: 'ricalIssueId',
  events: 'ECOSYSTEM_RICAL',
}
