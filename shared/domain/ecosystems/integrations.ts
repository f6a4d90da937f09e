import type { TrustedListKind } from '../../formats/trusted-lists/kinds.ts'

/** What an integration names as its `format`, and the kind of list that it is. */
export const integrationKinds = { VICAL: 'vical', RICAL: 'rical' } as const satisfies Record<string, TrustedListKind>

export type IntegrationFormat = keyof typeof integrationKinds

/** Why a list of others was not taken over (`failReasons[].type`), each with what it means. */
export const failReasons = {
  FetchFailed: 'it could not be fetched',
  TooLarge: 'it is larger, has more entries, or takes longer to read than is taken here',
  NotAList: 'what was fetched is no list of this format',
  SignatureInvalid: 'its signature is not good',
  ChainInvalid: 'its signer is not certified by a root that is trusted, or not for this',
  RootMissing: 'it does not hold the root of its signer, and no trust anchor is named',
  RootChanged: 'it is under another root than the lists before',
  DateInFuture: 'its date is in the future',
  Expired: 'the next one was due, or its own time is over',
  Outdated: 'it is older than the last good one',
  NoUsableEntries: 'it has entries, and none of them could be read',
} as const satisfies Record<string, string>

export type FailReasonType = keyof typeof failReasons

export interface FailReason {
  type: FailReasonType
  /** For the operator: what is wrong, and what to do. */
  message: string
}

/** An entry of a list that gave nothing, by its place. */
export interface SkippedEntry {
  index: number
  reason: string
}
