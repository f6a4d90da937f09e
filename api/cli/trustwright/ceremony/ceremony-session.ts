import type { KeyObject } from 'node:crypto'
import type { Name } from '@peculiar/asn1-x509'
import type { Clock } from '../../../../shared/clock.ts'
import type { IssuedKind } from '../../../../shared/formats/x509/profiles.ts'
import type { ReadCertificate } from '../../../../shared/formats/x509/read-certificate.ts'
import type { CeremonyKey, CeremonyKeys } from './ceremony-keys.ts'
import type { Mode } from './ceremony-step.ts'
import type { ReadCeremony } from './read-ceremony.ts'
import type { StepRecorder } from './step-recorder.ts'

/** The work on a ceremony in this process. */
export interface CeremonySession {
  ceremony: ReadCeremony
  mode: Mode
  keys: CeremonyKeys
  recorder: StepRecorder
  clock: Clock
  /** Whether keys of existing authorities are replaced by new ones, because theirs are not here. */
  hasStandIns: boolean
  /** The authorities that were made or read, by the id of an item or the digest of a file. */
  authorities: Map<string, CeremonyAuthority>
}

/** An authority of the ceremony. Without a key, it signs nothing here. */
export interface CeremonyAuthority {
  kind: IssuedKind
  certificate: ReadCertificate
  name: Name
  publicKey: KeyObject
  key?: CeremonyKey
}

/** The error of an item that cannot be made. */
export class WrongItem extends Error {
  readonly member: string

  /** @param member the dotted path in the item, or an empty text for the item */
  constructor(member: string, message: string) {
    super(message)
    this.member = member
  }
}

/** The label of a key in its provider. It follows from the ceremony, so that the key is found again after an interruption. */
export function labelOf({ ceremony, mode }: Pick<CeremonySession, 'ceremony' | 'mode'>, id: string): string {
  return `${mode} ${ceremony.digest.slice(0, 16)} ${id}`
}

/** The name of an output. The name of an output of a rehearsal says so. */
export function outputName({ mode }: Pick<CeremonySession, 'mode'>, id: string, extension: 'pem' | 'crl'): string {
  return `${mode === 'rehearsal' ? 'rehearsal-' : ''}${id}.${extension}`
}
