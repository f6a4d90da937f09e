import { X509Certificate } from 'node:crypto'
import { plusMs } from '../../../shared/clock.ts'
import { wholeSeconds } from '../../../shared/domain/certificates/certificates.ts'
import {
  buildStatusListCwt,
  buildStatusListJwt,
  compressStatuses,
  packStatuses,
  type SetEntry,
  type StatusListFormat,
  statusBitsOf,
  statusValue,
} from '../../../shared/formats/token-status-list.ts'
import type { Signer } from '../certificates/signer-cache.ts'
import { signCwt } from '../formats/sign-cwt.ts'
import { signEs256Jwt } from '../sign-jwt.ts'
import { listRenewalAt } from './renewal.ts'
import type { SignedList } from './sign-list.ts'

export interface TokenListToSign {
  readonly format: StatusListFormat
  /** Where the list is served, as its credentials say. */
  readonly url: string
  /** Where the tenant names its lists. */
  readonly aggregationUrl: string
  readonly signer: Pick<Signer, 'certificateId' | 'certificateDer' | 'privateKey' | 'notAfter'>
  /** The entries that are not valid, in any order. */
  readonly positions: Iterable<number>
  /** Those of them that are not invalid for good. */
  readonly suspended: ReadonlySet<number>
  /** Entries of the whole list. */
  readonly size: number
  readonly ttlDays: number
  readonly expiryDays: number
  /** What the list says is true of this moment. */
  readonly at: Date
}

const daySeconds = 24 * 3_600

/**
 * A token status list as CWT and as JWT, each verified with the key of its certificate. It does not outlive the certificate. Throws
 * a `FormatError`: `signature_mismatch` when the certificate is of another key.
 */
export async function signTokenList(list: TokenListToSign): Promise<SignedList> {
  const { format, url, aggregationUrl, signer, size, ttlDays, expiryDays, at } = list
  const compressed = await compressStatuses(packStatuses(entriesOf(list), size, statusBitsOf(format)))
  const issuedAt = wholeSeconds(at)
  const expiresAt = earlier(plusMs(issuedAt, expiryDays * daySeconds * 1000), wholeSeconds(signer.notAfter))
  const ttlSeconds = ttlDays * daySeconds
  const token = {
    ...{ format, uri: url, issuedAt, expiresAt, ttlSeconds, compressed, certificate: signer.certificateDer },
    // Readers of the draft alone know what is told there.
    aggregationUri: format === 'draft14' ? aggregationUrl : undefined,
  }
  const { publicKey } = new X509Certificate(signer.certificateDer)
  const key = { privateKey: signer.privateKey, publicKey }
  const { header, claims } = buildStatusListJwt(token)
  return {
    content: signCwt(key, (alg) => buildStatusListCwt(token, alg)),
    jwt: Buffer.from(signEs256Jwt(key, header, claims)),
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
