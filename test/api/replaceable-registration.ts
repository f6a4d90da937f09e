import { certifyAccess, newAccessAuthority, subject } from '../certificates/access-authority.ts'
import { newRegistrar } from '../certificates/registrar.ts'
import type { TestTenant } from '../harness/harness.ts'
import type { Replaceable } from './replaceable.ts'

const accessPath = '/v1/openid/access-certificates'
const registrationPath = '/v1/openid/registration-certificates'

/** Creates an active access certificate and returns its path. */
async function newAccessCertificate({ operator }: TestTenant): Promise<string> {
  const { body } = await operator.post(accessPath, { subject })
  const { root } = await newAccessAuthority()
  const certificatePem = await certifyAccess(root, body.csrPem)
  await operator.put(`${accessPath}/${body.id}`, { active: true, certificatePem })
  return `${accessPath}/${body.id}`
}

// The time of the service in tests is that of the machine, and moves forward.
const registration = { jwt: await (await newRegistrar()).register({ payload: { exp: undefined } }, new Date()) }

/** The PUTs of access certificates and registration certificates. */
export const replaceableRegistration: Record<string, Replaceable> = {
  updateAccessCertificate: {
    make: newAccessCertificate,
    full: async ({ operator }) => {
      const [{ certificatePem }] = (await operator.get(accessPath)).body.data
      return { active: true, certificatePem }
    },
    least: { active: true },
    reset: [],
    kept: ['certificatePem'],
  },
  updateRegistrationCertificate: {
    async make(tenant) {
      await newAccessCertificate(tenant)
      await tenant.operator.put(registrationPath, registration)
      return registrationPath
    },
    full: { ...registration, registrarDataset: { tradeName: 'Agency' } },
    least: registration,
    reset: ['registrarDataset'],
  },
}
