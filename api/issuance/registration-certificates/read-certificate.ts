import type { KeyObject } from 'node:crypto'
import { compactVerify, decodeProtectedHeader, errors } from 'jose'
import { z } from 'zod'
import type { CompleteAccessCertificate } from '../../../db/repos/issuance/access-certificates.ts'
import type { RegistrationCertificateRow } from '../../../db/repos/issuance/registration-certificates.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { certificateFromBase64 } from '../../../shared/formats/certificate.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { maxChainLength, verifyChain } from '../../../shared/formats/x509-chain.ts'

const Header = z.object({ typ: z.literal('rc-wrp+jwt'), x5c: z.array(z.string()).min(1).max(maxChainLength) })

const seconds = z.number().int().nonnegative().max(8_640_000_000_000)

/** The members that are compared. `sub` is an object in version 1.1.1 of ETSI TS 119 475, and a text in version 1.2.1. */
const Payload = z.object({
  sub: z.union([z.string().min(1).max(200), z.object({ id: z.string().min(1).max(200) }).transform(({ id }) => id)]),
  iat: seconds,
  exp: seconds.optional(),
})

const algorithms = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
const toleranceMs = 60_000

type Content = Pick<RegistrationCertificateRow, 'subject' | 'issuedAt' | 'expiresAt'>

/**
 * Reads a registration certificate, and compares it with the access certificate of the tenant: both are for the same registered identifier, and
 * have a time at which both are valid. Throws `bad_request` with the check that failed and its clause.
 */
export async function readRegistrationCertificate(
  jwt: string,
  access: CompleteAccessCertificate,
  at: Date,
): Promise<Content> {
  const payload = await verified(jwt, at)
  const { sub: subject, iat, exp } = payload
  const issuedAt = new Date(iat * 1000)
  const expiresAt = exp === undefined ? null : new Date(exp * 1000)
  if (issuedAt.getTime() > at.getTime() + toleranceMs) throw refused('Its iat is in the future')
  if (expiresAt && expiresAt <= at) throw refused('It has expired (exp)')
  if (issuedAt > access.notAfter || (expiresAt && expiresAt < access.notBefore))
    throw refused('It is never valid together with the active access certificate')
  const { organisationIdentifier } = access.certified
  if (subject !== organisationIdentifier)
    throw refused(
      `Its sub is ${subject}, but the active access certificate is for ${organisationIdentifier ?? 'no identifier'} (ETSI TS 119 475, GEN-5.2.4-02)`,
    )
  return { subject, issuedAt, expiresAt }
}

async function verified(jwt: string, at: Date): Promise<z.output<typeof Payload>> {
  const key = signingKeyOf(jwt, at)
  const { payload } = await compactVerify(jwt, key, { algorithms }).catch((error: unknown) => {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw refused('Its signature is not verified by the first certificate of x5c')
    throw error
  })
  const read = Payload.safeParse(jsonOf(payload))
  if (read.success) return read.data
  throw refused(
    `Its payload has no valid ${read.error.issues[0]?.path.join('.') || 'object'} (ETSI TS 119 475, section 5.2.4)`,
  )
}

/** Returns the key of the registrar. The anchor of its chain is that of the wallets. */
function signingKeyOf(jwt: string, at: Date): KeyObject {
  const read = Header.safeParse(headerOf(jwt))
  if (!read.success)
    throw refused('It is not a compact JWS with typ rc-wrp+jwt and x5c (ETSI TS 119 475, section 5.2.2)')
  try {
    const chain = read.data.x5c.map(certificateFromBase64)
    const [leaf] = chain
    if (!leaf) throw refused('Its x5c is empty')
    const verdict = chain.length > 1 ? verifyChain({ chain, roots: chain.slice(-1), at }) : undefined
    if (verdict && !verdict.isTrusted) throw refused(`Its x5c is refused: ${verdict.message}`)
    return leaf.publicKey
  } catch (error) {
    if (error instanceof FormatError) throw refused(`Its x5c cannot be read: ${error.message}`)
    throw error
  }
}

function headerOf(jwt: string): unknown {
  try {
    return decodeProtectedHeader(jwt)
  } catch {
    return undefined
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

function refused(message: string) {
  return wrongField('jwt', message)
}
