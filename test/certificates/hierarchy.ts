import { request } from 'undici'
import { certifierOf, type SignerKind } from '../../shared/formats/x509/profiles.ts'
import type { Service, TestTenant } from '../harness/harness.ts'

export const iacas = '/v2/credentials/mobile/iacas'
export const ecosystemCas = '/v1/ecosystems/certificates/ca'
export function signersPath(kind: SignerKind): string {
  if (kind === 'sd-jwt-signer') return '/v2/credentials/sd-jwt/signers'
  return `${certifierOf(kind) === 'iaca' ? '/v2/credentials/mobile' : '/v1/ecosystems/certificates'}/${kind}s`
}

/** An active managed IACA. */
export async function newIaca({ operator }: Pick<TestTenant, 'operator'>, extra: object = {}) {
  const created = await operator.post(iacas, { commonName: 'Aotearoa IACA', country: 'NZ', ...extra })
  if (created.status !== 201) throw new Error(`IACA: ${created.status} ${JSON.stringify(created.body)}`)
  return (await operator.put(`${iacas}/${created.body.id}`, { active: true })).body
}

/** An active managed CA of ecosystems. */
export async function newEcosystemCa({ operator }: Pick<TestTenant, 'operator'>, extra: object = {}) {
  const subject = { commonName: 'Aotearoa root', organisationName: 'Aotearoa', country: 'NZ', ...extra }
  const created = await operator.post(ecosystemCas, subject)
  if (created.status !== 201) throw new Error(`CA: ${created.status} ${JSON.stringify(created.body)}`)
  return (await operator.put(`${ecosystemCas}/${created.body.id}`, { active: true })).body
}

/** The CRL that the service publishes. */
export async function crlOf(
  { origin }: Pick<Service, 'origin'>,
  { host }: TestTenant,
  caId: string,
  path = iacas,
): Promise<Buffer> {
  const { statusCode, body } = await request(`${origin}${path}/${caId}/crl`, { headers: { host } })
  const bytes = Buffer.from(await body.arrayBuffer())
  if (statusCode !== 200) throw new Error(`CRL: ${statusCode} ${bytes}`)
  return bytes
}
