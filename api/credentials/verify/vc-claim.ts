import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'

/** Whether the `vc` of a CWT is a credential of the W3C's data model 1.1 (section 4): context, type and subject. */
export function isVerifiableCredential(vc: unknown): boolean {
  if (typeof vc !== 'object' || vc === null) return false
  const { '@context': contexts, type, credentialSubject } = vc as Record<string, unknown> // members are checked below
  const [first] = [contexts].flat()
  const isTyped = Array.isArray(type) && type.includes('VerifiableCredential')
  return first === credentialsContext && isTyped && typeof credentialSubject === 'object' && credentialSubject !== null
}
