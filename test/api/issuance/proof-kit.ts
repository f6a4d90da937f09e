import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect } from 'vitest'
import type { Holder, Tenant } from '../../../api/access/subjects.ts'
import type { Deps } from '../../../api/deps.ts'
import { checkProofs } from '../../../api/issuance/proofs/check-proofs.ts'
import { maxKeys } from '../../../api/issuance/proofs/key-attestation.ts'
import { newNonce } from '../../../api/proofs/nonce.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { KeyAttestationRules } from '../../../shared/domain/issuance/profile-settings.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { type JwtChanges, newAttester } from '../../wallets/attestation.ts'
import { type HolderKeyPair, makeProof, newHolderKey, type ProofOptions } from '../../wallets/wallet.ts'

export const seconds = Math.floor(Date.now() / 1000)
export const now = new Date(seconds * 1000)
const secrets = createSecrets([randomBytes(32)])
// Boundary: the members that the checks read.
export const depsAt = (at: Date) => ({ secrets, clock: { now: () => at } }) as unknown as Deps
export const deps = depsAt(now)
const holder = { clientId: 'wallet' } as Holder

/** The parties are the same in all files of a worker. They keep no state. */
export const attester = await newAttester()
export const keys = await Promise.all(Array.from({ length: maxKeys + 1 }, () => newHolderKey()))
export const key = keys[0]!
const common = { id: 't', issuer: 'https://issuer.example' }
const trusting = { ...common, settings: { keyAttestationRoots: [attester.rootPem], maxCredentialsPerSession: 1000 } }
export const tenant = { ...trusting, profile: 'standard' } as Tenant
export const haip = { ...trusting, profile: 'haip' } as Tenant
export const lenient = { ...trusting, profile: 'lenient' } as Tenant
export const untrusting = { ...tenant, settings: { ...tenant.settings, keyAttestationRoots: [] as string[] } } as Tenant
export const nonce = newNonce(deps, tenant)

type Rules = KeyAttestationRules | undefined
export type Proofs = Record<string, unknown> | undefined

export const check = (proofs: Proofs, { of = tenant, rules = undefined as Rules, by = deps } = {}) =>
  checkProofs(by, of, holder, { settings: { keyAttestationsRequired: rules } } as ConfigurationRow, proofs)

/** Returns the refusal. Any other error fails the test. */
export function refusalOf(work: () => unknown): Problem | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return undefined
}

/** Expects `invalid_proof` with a reason. */
export function expectInvalidProof(
  proofs: Proofs,
  options: Parameters<typeof check>[1] = {},
  what?: string,
): Problem | undefined {
  const refusal = refusalOf(() => check(proofs, options))
  expect(refusal?.problem, what).toBe('invalid_proof')
  expect(refusal?.message).not.toBe(new Problem('invalid_proof').message)
  return refusal
}

export const jwt = ({ payload, ...options }: Partial<ProofOptions> = {}) =>
  makeProof({ issuer: tenant.issuer, key, nonce, ...options, payload: { iat: seconds, ...payload } })
export const jwtsOf = (some: HolderKeyPair[]) => Promise.all(some.map((each) => jwt({ key: each })))
export const publicJwksOf = (some: HolderKeyPair[]) => some.map(({ publicJwk }) => publicJwk)
export const boundTo = (...some: HolderKeyPair[]) => some.map(({ publicJwk: { x } }) => ({ jwk: { x } }))

export function attest({ header, payload }: JwtChanges = {}, by = attester): Promise<string> {
  const attested_keys = publicJwksOf(keys.slice(0, 3))
  const claims = { iat: seconds, exp: seconds + 300, nonce, attested_keys, ...payload }
  const names = { alg: 'ES256', typ: 'key-attestation+jwt', x5c: by.x5c, ...header }
  const clean = (value: object) => JSON.parse(JSON.stringify(value))
  return new SignJWT(clean(claims)).setProtectedHeader(clean(names)).sign(by.leaf.keys.privateKey)
}
export const attestKeys = (some: HolderKeyPair[]) => attest({ payload: { attested_keys: publicJwksOf(some) } })
/** A proof with an attestation of these keys beside it. */
export const attested = async (by: HolderKeyPair, some: HolderKeyPair[]) =>
  jwt({ key: by, header: { key_attestation: await attestKeys(some) } })
