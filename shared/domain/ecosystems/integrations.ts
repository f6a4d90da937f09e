import type { TrustedListKind } from '../../formats/trusted-lists/kinds.ts'

/** The `format` of an integration, with the kind of its list. */
export const integrationKinds = { VICAL: 'vical', RICAL: 'rical' } as const satisfies Record<string, TrustedListKind>

export type IntegrationFormat = keyof typeof integrationKinds

/** Reasons for which an external list is refused (`failReasons[].type`), with their meaning. */
export const failReasons = {
  FetchFailed: 'it could not be fetched',
  TooLarge: 'it is too large, has too many entries, or takes too long to read',
  NotAList: 'the fetched file is not a list of this format',
  SignatureInvalid: 'its signature is not valid',
  ChainInvalid: 'no trusted root certifies its signer for such lists',
  RootMissing: 'it does not contain the root of its signer, and no trust anchor is set',
  RootChanged: 'it is signed under another root than the earlier lists',
  DateInFuture: 'its date is in the future',
  Expired: 'the next list was due, or its validity has ended',
  Outdated: 'it is older than the last accepted list',
  NoUsableEntries: 'none of its entries could be read',
} as const satisfies Record<string, string>

export type FailReasonType = keyof typeof failReasons

export interface FailReason {
  type: FailReasonType
  /** Tells the operator what is wrong and what to do. */
  message: string
}

/** An entry of a list that was skipped, by its index. */
export interface SkippedEntry {
  index: number
  reason: string
}
