import { expect } from 'vitest'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import type { Api, ApiResponse } from '../../harness/api-client.ts'
import { pdf, uploadTo } from '../../harness/uploads.ts'
import { loteBody } from '../ecosystems/lote-bodies.ts'

type Call = [operation: string, call: (api: Api, made: Record<string, string>) => Promise<ApiResponse>, data: object]

/** The calls of ecosystems for `audit.test.ts`. */
export function ecosystemCalls(secret: string): Call[] {
  const name = secret.slice(0, 50)
  const ecosystem = ({ createEcosystem }: Record<string, string>) => `/v1/ecosystems/${createEcosystem}`
  const participants = (made: Record<string, string>) => `${ecosystem(made)}/participants`
  const participant = (made: Record<string, string>) => `${participants(made)}/${made.createParticipant}`
  const type = { profile: 'mobile', type: 'org.iso.18013.5.1.mDL', name: 'Licence' }
  const inEcosystem = { ecosystemId: expect.any(String) }
  const assigned = { ...inEcosystem, participantId: expect.any(String) }
  const verifier = { isVerifier: true }
  const issuers = participantCalls('Issuer', { secret, participant, assigned })
  const verifiers = participantCalls('Verifier', { secret, participant, assigned })
  return [
    ['createEcosystem', (api) => api.post('/v1/ecosystems', { name: 'One' }), {}],
    ['updateEcosystem', (api, made) => api.put(ecosystem(made), { name }), { changed: ['name'] }],
    ['syncEcosystems', (api) => api.post('/v1/ecosystems/sync'), { integrations: 0 }],
    ['createCredentialType', (api, made) => api.post(`${ecosystem(made)}/credentials`, type), inEcosystem],
    ['createParticipant', (api, made) => api.post(participants(made), { name: 'One', ...verifier }), inEcosystem],
    [
      'updateParticipant',
      (api, made) => api.put(participant(made), { name, ...verifier }),
      { ...inEcosystem, changed: ['name'] },
    ],
    ...issuers.adding,
    ...verifiers.adding,
    ['publishEcosystemPolicy', (api, made) => api.post(`${ecosystem(made)}/policies`), inEcosystem],
    ...policyCalls('Issuer', ecosystem, inEcosystem),
    ...policyCalls('Verifier', ecosystem, inEcosystem),
    ...listCalls('Vical', ecosystem, inEcosystem),
    ...listCalls('Rical', ecosystem, inEcosystem),
    ...loteCalls(ecosystem, { ...inEcosystem, loteType: 'pid-providers' }),
    ...issuers.removing,
    ...verifiers.removing,
    ...evidenceCalls((made) => `${participant(made)}/evidence`, secret, assigned),
    ['deleteParticipant', (api, made) => api.delete(participant(made)), inEcosystem],
    [
      'deleteCredentialType',
      (api, made) => api.delete(`${ecosystem(made)}/credentials/${made.createCredentialType}`),
      inEcosystem,
    ],
    ['deleteEcosystem', (api, made) => api.delete(ecosystem(made)), {}],
  ]
}

function evidenceCalls(evidence: (made: Record<string, string>) => string, secret: string, assigned: object): Call[] {
  const one = (made: Record<string, string>) => `${evidence(made)}/${made.createParticipantEvidence}`
  return [
    [
      'createParticipantEvidence',
      (api, made) => uploadTo(api, evidence(made), ['file', pdf(`%PDF-1.7 ${secret}`)], ['fileDescription', secret]),
      { ...assigned, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ],
    [
      'updateParticipantEvidence',
      (api, made) => api.put(one(made), { filename: secret, fileDescription: secret }),
      { ...assigned, changed: ['filename'] },
    ],
    ['deleteParticipantEvidence', (api, made) => api.delete(one(made)), assigned],
  ]
}

type At = (made: Record<string, string>) => string

function participantCalls(
  word: 'Issuer' | 'Verifier',
  { secret, participant, assigned }: { secret: string; participant: At; assigned: object },
): Record<'adding' | 'removing', Call[]> {
  const role = word.toLowerCase()
  const ofCertificate = `Participant${word}Certificate`
  const types: At = (made) => `${participant(made)}/${role}/credentials`
  const all: At = (made) => `${participant(made)}/${role}-certificates`
  const one: At = (made) => `${all(made)}/${made[`create${ofCertificate}`]}`
  const certificatePem = async () => pemOf(await newCertificate({ name: secret.slice(0, 50), ca: true }))
  const adding: Call[] = [
    [
      `assign${word}CredentialType`,
      (api, made) => api.post(types(made), { credentialId: made.createCredentialType }),
      assigned,
    ],
    [
      `create${ofCertificate}`,
      async (api, made) => api.post(all(made), { certificatePem: await certificatePem() }),
      { ...assigned, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ],
  ]
  const removing: Call[] = [
    [
      `update${ofCertificate}`,
      (api, made) => api.put(one(made), { active: false }),
      { ...assigned, changed: ['active'] },
    ],
    [`delete${ofCertificate}`, (api, made) => api.delete(one(made)), assigned],
    [
      `unassign${word}CredentialType`,
      (api, made) => api.delete(`${types(made)}/${made.createCredentialType}`),
      assigned,
    ],
  ]
  return { adding, removing }
}

function policyCalls(word: 'Issuer' | 'Verifier', ecosystem: At, inEcosystem: object): Call[] {
  const policies: At = (made) => `${ecosystem(made)}/${word.toLowerCase()}-policies`
  const one: At = (made) => `${policies(made)}/${made[`publish${word}Policy`]}`
  return [
    [`publish${word}Policy`, (api, made) => api.post(policies(made)), inEcosystem],
    [`delete${word}Policy`, (api, made) => api.delete(one(made)), inEcosystem],
  ]
}

/** The calls of trusted lists, in an ecosystem of a tenant with list signers. */
function listCalls(noun: 'Vical' | 'Rical', ecosystem: At, inEcosystem: object): Call[] {
  const kind = noun.toLowerCase()
  const lists: At = (made) => `${ecosystem(made)}/${kind}s`
  const configuration: At = (made) => `${lists(made)}/configuration`
  return [
    [`configure${noun}`, (api, made) => api.put(configuration(made), { [`${kind}Provider`]: 'One' }), inEcosystem],
    [`publish${noun}`, (api, made) => api.post(lists(made)), inEcosystem],
    [`delete${noun}`, (api, made) => api.delete(`${lists(made)}/1`), { id: '1' }],
    [`delete${noun}Configuration`, (api, made) => api.delete(configuration(made)), inEcosystem],
  ]
}

/** The calls of lists of trusted entities of one type. */
function loteCalls(ecosystem: At, inType: object): Call[] {
  const lists: At = (made) => `${ecosystem(made)}/lotes/pid-providers`
  const configuration: At = (made) => `${lists(made)}/configuration`
  return [
    ['configureLote', (api, made) => api.put(configuration(made), loteBody()), inType],
    ['publishLote', (api, made) => api.post(lists(made)), inType],
    ['deleteLote', (api, made) => api.delete(`${lists(made)}/1`), { id: '1' }],
    ['deleteLoteConfiguration', (api, made) => api.delete(configuration(made)), inType],
  ]
}
