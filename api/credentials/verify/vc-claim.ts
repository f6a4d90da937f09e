import type { CwtCredential } from '../../../shared/formats/cwt-verify.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'

/** Checks that the `vc` of a CWT is a credential of the W3C data model 1.1 (section 4): context, type and subject. */
export function isVerifiableCredential(vc: unknown): boolean {
  if (typeof vc !== 'object' || vc === null) return false
  const { '@context': contexts, type, credentialSubject } = vc as Record<string, unknown> // members are checked below
  const [first] = [contexts].flat()
  const isTyped = Array.isArray(type) && type.includes('VerifiableCredential')
  return first === credentialsContext && isTyped && typeof credentialSubject === 'object' && credentialSubject !== null
}

/** Checks the additional claims of a New Zealand COVID Pass (NZCP 1.0, sections 2.1 and 2.4): its times, its id and its type. */
export function isCovidPass({ notBefore, expiresAt, credentialId, claims: { vc } }: CwtCredential): boolean {
  if (!notBefore || !expiresAt || credentialId === undefined || !isVerifiableCredential(vc)) return false
  const { type, version } = vc as { type: unknown[]; version?: unknown } // an object, checked above
  return type.includes('PublicCovidPass') && version === '1.0.0'
}
