import type { Text } from '../../kit/language.ts'
import { stageTexts } from './verify-texts.ts'

/** The result of one check. */
export interface CheckRow {
  name: Text
  result: 'passed' | 'failed' | 'skipped'
  message?: string
  /** The clause that requires the check. */
  clause?: string
}

/** The result of a verification, in one form for all kinds. */
export interface Verified {
  verified: boolean
  checks: CheckRow[]
  content?: unknown
}

type Stage = keyof typeof stageTexts

export interface Options {
  assertValidFrom: boolean
  assertValidUntil: boolean
  checkRevocation: boolean
}

const ofCredential: Stage[] = ['structure', 'issuer', 'key', 'signature', 'started', 'unexpired', 'status']
const ofPresentation: Stage[] = ['structure', 'proof', 'challenge', 'domain', 'key', 'signature', 'credentials']
const ofSdJwt: Stage[] = ['structure', 'issuer', 'signature', 'type', 'started', 'unexpired', 'status', 'binding']

/** The stage that a code of the service belongs to. Other codes belong to the structure. */
const stages: Record<string, Stage> = {
  ...{ UntrustedIssuer: 'issuer', CertificateChain: 'issuer', SignerPurpose: 'issuer' },
  ...{ IssuerUnresolved: 'key', HolderUnresolved: 'key', UnknownKey: 'key', WrongHolder: 'key', InvalidProof: 'key' },
  ...{ InvalidSignature: 'signature', JwtSignature: 'signature', CredentialType: 'type' },
  ...{ NotYetValid: 'started', Expired: 'unexpired' },
  ...{ Revoked: 'status', Suspended: 'status', StatusUnknown: 'status' },
  ...{ WrongChallenge: 'challenge', WrongDomain: 'domain' },
}

interface Failure {
  code: string
  message: string
}

/** The rows of a verification that stops at its first failure. */
export function rowsOfCredential(failure: Failure | undefined, options: Options): CheckRow[] {
  return rowsUntil(ofCredential, failure && { ...failure, stage: stages[failure.code] ?? 'structure' }, options)
}

/** The rows of a presentation. A failed credential has an index. */
export function rowsOfPresentation(failure: (Failure & { credential?: number }) | undefined): CheckRow[] {
  const stage = () => {
    if (failure?.credential !== undefined) return 'credentials'
    if (failure?.code === 'InvalidProof') return 'proof'
    return stages[failure?.code ?? ''] ?? 'structure'
  }
  return rowsUntil(ofPresentation, failure && { ...failure, stage: stage() })
}

function rowsUntil(all: Stage[], failure?: Failure & { stage: Stage }, options?: Options): CheckRow[] {
  const failedAt = failure ? all.indexOf(failure.stage) : all.length
  return all.map((stage, index): CheckRow => {
    const name = stageTexts[stage]
    if (failure && index === failedAt) return { name, result: 'failed', message: failure.message }
    return { name, result: index > failedAt || isOff(stage, options) ? 'skipped' : 'passed' }
  })
}

/**
 * The rows of an SD-JWT VC. All its checks run after the issuer is accepted, so several can fail. `isRead` is true if the issuer has
 * signed the claims.
 */
export function rowsOfSdJwt(
  failures: readonly (Failure & { clause: string })[],
  { isRead, isBound, ...options }: Options & { isRead: boolean; isBound: boolean },
): CheckRow[] {
  const [first] = failures
  const stageOf = ({ code }: Failure): Stage => stages[code] ?? (isRead ? 'binding' : 'structure')
  const last = isRead || !first ? ofSdJwt.length : ofSdJwt.indexOf(stageOf(first))
  return ofSdJwt.map((stage, index): CheckRow => {
    const name = stageTexts[stage]
    const failure = failures.find((each) => stageOf(each) === stage)
    if (failure) return { name, result: 'failed', message: failure.message, clause: failure.clause }
    const isSkipped = index > last || isOff(stage, options) || (stage === 'binding' && !isBound)
    return { name, result: isSkipped ? 'skipped' : 'passed' }
  })
}

function isOff(stage: Stage, options: Options | undefined): boolean {
  if (stage === 'started') return options?.assertValidFrom === false
  if (stage === 'unexpired') return options?.assertValidUntil === false
  return stage === 'status' && options?.checkRevocation === false
}
