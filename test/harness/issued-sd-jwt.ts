import { readSdJwt } from '../verifiers/sd-jwt-verifier.ts'
import { type HolderKeyPair, newHolderKey, newWallet } from '../wallets/wallet.ts'
import { newOffer } from './factories.ts'
import type { Service, TestTenant } from './harness.ts'

/** The claims of `sdJwtMappings`. */
export const sdJwtClaims = { given_name: 'Ada', city: 'Bern', degrees: [{ type: 'BSc' }, { type: 'MSc' }] }

export interface IssuedSdJwt {
  /** The id of the record of the credential. */
  id: string
  userId: string
  credential: string
  key: HolderKeyPair
}

interface Wanted {
  copies?: number
  claims?: Record<string, unknown>
  userId?: string
}

/** SD-JWT VCs from one request, in the requested number of copies. Throws the problem of a refused request. */
export async function issueSdJwt(
  { origin }: Pick<Service, 'origin'>,
  tenant: TestTenant,
  configurationId: string,
  { copies = 1, claims = sdJwtClaims, userId }: Wanted = {},
): Promise<IssuedSdJwt[]> {
  const offer = await newOffer(tenant, [configurationId], { claims, ...(userId !== undefined && { userId }) })
  const wallet = await newWallet(tenant, origin, offer.uri)
  await wallet.redeem()
  const nonce = await wallet.nonce()
  const keys = await Promise.all(Array.from({ length: copies }, () => newHolderKey()))
  const jwt = await Promise.all(keys.map((key) => wallet.proof({ nonce, key })))
  const { status, body } = await wallet.requestCredential({ proofs: { jwt } })
  if (status !== 200) throw new Error(`credential: ${status} ${JSON.stringify(body)}`)
  const records = (await tenant.operator.get(`/v1/users/${offer.userId}/credentials`)).body.data
  return body.credentials.map(({ credential }: { credential: string }) => {
    const { x } = readSdJwt(credential).payload.cnf.jwk
    const { id } = records.find((record: { devicePublicKey: { x: string } }) => record.devicePublicKey.x === x)
    return { id, userId: offer.userId, credential, key: keys.find(({ publicJwk }) => publicJwk.x === x) }
  })
}
