import { createHash } from 'node:crypto'
import { readMdoc } from '../verifiers/mdoc-verifiers.ts'
import { fetchToken, type ReadToken, readCwtToken } from '../verifiers/token-list-reader.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'
import { mdlClaims, newOffer } from './factories.ts'
import type { Service, TestTenant } from './harness.ts'

export interface IssuedMobile {
  /** The id of the record of the credential. */
  id: string
  userId: string
  /** The status reference in its MSO. */
  reference: { idx: number; uri: string } | undefined
}

/** Driving licences from one request, in the requested number of copies. */
export async function issueMobile(
  { origin }: Pick<Service, 'origin'>,
  tenant: TestTenant,
  configurationId: string,
  copies = 1,
): Promise<IssuedMobile[]> {
  const offer = await newOffer(tenant, [configurationId], { claims: mdlClaims })
  const wallet = await newWallet(tenant, origin, offer.uri)
  await wallet.redeem()
  const nonce = await wallet.nonce()
  const jwt = await Promise.all(
    Array.from({ length: copies }, async () => wallet.proof({ nonce, key: await newHolderKey() })),
  )
  const { status, body } = await wallet.requestCredential({ proofs: { jwt } })
  if (status !== 200) throw new Error(`credential: ${status} ${JSON.stringify(body)}`)
  const records = (await tenant.operator.get(`/v1/users/${offer.userId}/credentials`)).body.data
  return body.credentials.map(({ credential }: { credential: string }) => {
    const { mso, msoBytes } = readMdoc(credential)
    const msoHash = createHash('sha256').update(msoBytes).digest('base64url')
    const { id } = records.find((record: { msoHash: string }) => record.msoHash === msoHash)
    const said = mso.get('status') as Map<string, Map<string, never>> | undefined
    return { id, userId: offer.userId, reference: said && Object.fromEntries(said.get('status_list')!) }
  })
}

export const setMobileStatus = ({ operator }: TestTenant, id: string, status: string) =>
  operator.post(`/v2/credentials/mobile/${id}/status`, { status })
export const mobileStatusOf = ({ operator }: TestTenant, id: string) =>
  operator.get(`/v2/credentials/mobile/${id}/status`)

/** The published list. */
export async function readNow(
  { origin }: Pick<Service, 'origin'>,
  tenant: TestTenant,
  uri: string,
  format: 'draft14' | 'legacy' = 'draft14',
): Promise<ReadToken> {
  const { status, bytes } = await fetchToken(origin, tenant, uri)
  if (status !== 200) throw new Error(`token: ${status} ${bytes}`)
  return readCwtToken(bytes, format)
}
