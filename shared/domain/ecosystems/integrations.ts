import type { TrustedListKind } from '../../formats/trusted-lists/kinds.ts'

/** The formats of ISO/IEC 18013-5, with the kind of their lists. */
export const integrationKinds = { VICAL: 'vical', RICAL: 'rical' } as const satisfies Record<string, TrustedListKind>

/** The format of lists of trusted entities (ETSI TS 119 602). An integration of it has a type of list. */
export const loteFormat = 'etsi-lote'

export type CborListFormat = keyof typeof integrationKinds

/** The `format` of an integration. */
export type IntegrationFormat = CborListFormat | typeof loteFormat

/** Reasons for which an external list is refused (`failReasons[].type`), with their meaning. */
export const failReasons = {
  FetchFailed: 'it could not be fetched',
  TooLarge: 'it is too large, has too many entries, or takes too long to read',
  NotAList: 'the fetched file is not a list of this format',
  WrongType: 'it is a list of another type than the configured one',
  ProfileInvalid: 'it does not follow the rules of its type',
  AlgorithmRefused: 'its signature algorithm is not supported',
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
