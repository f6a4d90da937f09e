import { insertAccessCertificate } from '../../../db/repos/issuance/access-certificates.ts'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { registeredId, subject } from '../../certificates/access-authority.ts'
import { newRegistrar } from '../../certificates/registrar.ts'
import type { Api, ApiResponse } from '../../harness/api-client.ts'
import type { Service } from '../../harness/harness.ts'

type Made = Record<string, string>
type Call = [operation: string, call: (api: Api, made: Made) => Promise<ApiResponse>, data: object]

const list = '/v1/openid/access-certificates'
const registration = '/v1/openid/registration-certificates'

/** The calls of access certificates and of the registration certificate, for a tenant of `newRegistered`. */
export function accessCalls(secret: string): Call[] {
  const at = ({ createAccessCertificate }: Made) => `${list}/${createAccessCertificate}`
  return [
    ['createAccessCertificate', (api) => api.post(list, { subject: { ...subject, commonName: secret } }), {}],
    ['updateAccessCertificate', (api, made) => api.put(at(made), { active: false }), { active: false }],
    ['deleteAccessCertificate', (api, made) => api.delete(at(made)), {}],
    [
      'updateRegistrationCertificate',
      (api, { registered: jwt }) => api.put(registration, { jwt, registrarDataset: { name: secret } }),
      { subject: registeredId },
    ],
    ['deleteRegistrationCertificate', (api) => api.delete(registration), { subject: registeredId }],
  ]
}

/** Stores an active access certificate of a tenant. Returns a registration certificate that belongs to it. */
export async function newRegistered({ deps, clock }: Service, tenantId: string): Promise<string> {
  const at = clock.now()
  const times = { notBefore: plusMs(at, -hourMs), notAfter: plusMs(at, hourMs), createdAt: at }
  const certified = { chain: [], certified: subject, fingerprint: 'of the sample' }
  const row = { id: newId(), tenantId, subject, csr: '', ...certified, ...times, isActive: true }
  await deps.db.tx((tx) => insertAccessCertificate(tx, row))
  return (await newRegistrar()).register({}, at)
}
