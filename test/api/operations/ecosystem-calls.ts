import { expect } from 'vitest'
import type { Api, ApiResponse } from '../../api-client.ts'
import { newCertificate, pemOf } from '../../certificates.ts'

type Call = [operation: string, call: (api: Api, made: Record<string, string>) => Promise<ApiResponse>, data: object]

/** What `audit.test.ts` calls of ecosystems. */
export function ecosystemCalls(secret: string): Call[] {
  const name = secret.slice(0, 50)
  const ecosystem = ({ createEcosystem }: Record<string, string>) => `/v1/ecosystems/${createEcosystem}`
  const participants = (made: Record<string, string>) => `${ecosystem(made)}/participants`
  const participant = (made: Record<string, string>) => `${participants(made)}/${made.createParticipant}`
  const type = { profile: 'compact', type: 'Licence', name: 'Licence' }
  const inEcosystem = { ecosystemId: expect.any(String) }
  const assigned = { ...inEcosystem, participantId: expect.any(String) }
  return [
    ['createEcosystem', (api) => api.post('/v1/ecosystems', { name: 'One' }), {}],
    ['updateEcosystem', (api, made) => api.put(ecosystem(made), { name }), { changed: ['name'] }],
    ['createCredentialType', (api, made) => api.post(`${ecosystem(made)}/credentials`, type), inEcosystem],
    ['createParticipant', (api, made) => api.post(participants(made), { name: 'One' }), inEcosystem],
    ['updateParticipant', (api, made) => api.put(participant(made), { name }), { ...inEcosystem, changed: ['name'] }],
    ...(['issuer', 'verifier'] as const).flatMap((role): Call[] => {
      const word = role === 'issuer' ? 'Issuer' : 'Verifier'
      const at = (made: Record<string, string>) => `${participant(made)}/${role}/credentials`
      return [
        [
          `assign${word}CredentialType`,
          (api, made) => api.post(at(made), { credentialId: made.createCredentialType }),
          assigned,
        ],
        [
          `unassign${word}CredentialType`,
          (api, made) => api.delete(`${at(made)}/${made.createCredentialType}`),
          assigned,
        ],
      ]
    }),
    ...(['issuer', 'verifier'] as const).flatMap((role): Call[] => {
      const word = role === 'issuer' ? 'ParticipantIssuerCertificate' : 'ParticipantVerifierCertificate'
      const all = (made: Record<string, string>) => `${participant(made)}/${role}-certificates`
      const one = (made: Record<string, string>) => `${all(made)}/${made[`create${word}`]}`
      const certificatePem = async () => pemOf(await newCertificate({ name, ca: true }))
      return [
        [
          `create${word}`,
          async (api, made) => api.post(all(made), { certificatePem: await certificatePem() }),
          { ...assigned, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ],
        [`update${word}`, (api, made) => api.put(one(made), { active: false }), { ...assigned, changed: ['active'] }],
        [`delete${word}`, (api, made) => api.delete(one(made)), assigned],
      ]
    }),
    ['publishEcosystemPolicy', (api, made) => api.post(`${ecosystem(made)}/policies`), inEcosystem],
    ...vicalCalls((made) => `${ecosystem(made)}/vicals`, inEcosystem),
    ['deleteParticipant', (api, made) => api.delete(participant(made)), inEcosystem],
    [
      'deleteCredentialType',
      (api, made) => api.delete(`${ecosystem(made)}/credentials/${made.createCredentialType}`),
      inEcosystem,
    ],
    ['deleteEcosystem', (api, made) => api.delete(ecosystem(made)), {}],
  ]
}

/** In an ecosystem of a tenant that has somebody to sign them. */
function vicalCalls(vicals: (made: Record<string, string>) => string, inEcosystem: object): Call[] {
  const configuration = (made: Record<string, string>) => `${vicals(made)}/configuration`
  return [
    ['configureVical', (api, made) => api.put(configuration(made), { vicalProvider: 'One' }), inEcosystem],
    ['publishVical', (api, made) => api.post(vicals(made)), inEcosystem],
    ['deleteVical', (api, made) => api.delete(`${vicals(made)}/1`), { id: '1' }],
    ['deleteVicalConfiguration', (api, made) => api.delete(configuration(made)), inEcosystem],
  ]
}
