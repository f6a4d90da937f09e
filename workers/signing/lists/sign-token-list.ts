import { X509Certificate } from 'node:crypto'
import { plusMs } from '../../../shared/clock.ts'
import { wholeSeconds } from '../../../shared/domain/certificates/certificates.ts'
import type { BytesSigner } from '../../../shared/formats/bytes-signer.ts'
import {
  buildStatusListCwt,
  buildStatusListJwt,
  compressStatuses,
  packStatuses,
  type SetEntry,
  type StatusBits,
  type StatusListFormat,
  statusValue,
} from '../../../shared/formats/token-status-list.ts'
import type { CertificateSigner } from '../certificates/signer-cache.ts'
import { signCwt } from '../formats/sign-cwt.ts'
import { signEs256Jwt } from '../sign-jwt.ts'
import { listRenewalAt } from './renewal.ts'
import type { SignedList } from './sign-list.ts'

export interface TokenListToSign {
  readonly format: StatusListFormat
  readonly bits: StatusBits
  /** The URL of the list, as in its credentials. */
  readonly url: string
  /** The URL of the tenant's list of lists. */
  readonly aggregationUrl: string
  readonly signer: Pick<CertificateSigner, 'certificateId' | 'certificateDer' | 'key' | 'notAfter'>
  /** The entries that are not valid, in any order. */
  readonly positions: Iterable<number>
  /** The suspended entries among `positions`. */
  readonly suspended: ReadonlySet<number>
  /** The number of entries of the list. */
  readonly size: number
  readonly ttlDays: number
  /** The longest time to live, if it is shorter than `ttlDays`. */
  readonly maxAgeSeconds: number
  readonly expiryDays: number
  /** The time of the content. */
  readonly at: Date
}

const daySeconds = 24 * 3_600

/**
 * Signs a token status list as CWT and as JWT, and verifies both with the key of the certificate. The list ends with the certificate at
 * the latest. Throws a `FormatError`: `signature_mismatch` if the certificate has another key.
 */
export async function signTokenList(list: TokenListToSign): Promise<SignedList> {
  const { format, bits, url, aggregationUrl, signer, size, ttlDays, maxAgeSeconds, expiryDays, at } = list
  const compressed = await compressStatuses(packStatuses(entriesOf(list), size, bits))
  const issuedAt = wholeSeconds(at)
  const expiresAt = earlier(plusMs(issuedAt, expiryDays * daySeconds * 1000), wholeSeconds(signer.notAfter))
  const ttlSeconds = Math.min(ttlDays * daySeconds, maxAgeSeconds)
  const token = {
    ...{ format, bits, uri: url, issuedAt, expiresAt, ttlSeconds, compressed, certificate: signer.certificateDer },
    // Only the draft has this claim.
    aggregationUri: format === 'draft14' ? aggregationUrl : undefined,
  }
  const { publicKey } = new X509Certificate(signer.certificateDer)
  const key: BytesSigner = { publicKey, sign: (bytes) => signer.key.sign(bytes) }
  const { header, claims } = buildStatusListJwt(token)
  return {
    content: await signCwt(key, (alg) => buildStatusListCwt(token, alg)),
    jwt: Buffer.from(await signEs256Jwt(key, header, claims)),
    ...{
      signerId: signer.certificateId,
      keyId: null,
      ttlSeconds,
      expiresAt,
      renewAt: listRenewalAt(issuedAt, expiresAt),
    },
  }
}

function* entriesOf({ positions, suspended }: TokenListToSign): Iterable<SetEntry> {
  for (const position of positions) {
    yield { position, value: suspended.has(position) ? statusValue.suspended : statusValue.invalid }
  }
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
