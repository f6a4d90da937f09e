import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { printFileSchemas } from '../../api/tenant-files/json-schemas.ts'
import { createKinds } from '../../api/tenant-files/rest-kinds.ts'
import { filePaths } from '../../shared/domain/tenancy/tenant-files.ts'

/** The operations with a body that files do not describe, with the reason. */
const exempt: Record<string, readonly string[]> = {
  'The platform manages tenants, and clients have secrets that are shown once': [
    ...['createTenant', 'createClient', 'updateClient', 'replaceClientSecret'],
  ],
  'The sign-in of operators at the console must not depend on what it changes': ['replaceSignInProvider'],
  'Keys, and the certificates of signers, are not configuration': [
    ...['createDid', 'createEcosystemCa', 'updateEcosystemCa', 'createDocumentSigner', 'updateDocumentSigner'],
    ...['createStatusListSigner', 'updateStatusListSigner', 'createSdJwtSigner', 'updateSdJwtSigner'],
    ...['createVicalSigner', 'updateVicalSigner', 'createRicalSigner', 'updateRicalSigner'],
    ...['revokeDocumentSigner', 'revokeStatusListSigner', 'revokeSdJwtSigner'],
    ...['createAccessCertificate', 'updateAccessCertificate', 'updateRegistrationCertificate'],
  ],
  'They test something and store nothing': [
    ...['testSignInProvider', 'testClaimSource', 'testClientAttestation', 'validateIssuer', 'validateVerifier'],
    ...['verifyCompactCredential', 'verifyCompactSemanticCredential', 'verifyWebSemanticCredential'],
    ...[
      'verifySdJwtCredential',
      'verifyPresentation',
      'evaluatePresentationQuery',
      'verifyMessage',
      'searchUsers',
      'previewSettings',
    ],
  ],
  'They issue credentials, or change issued ones': [
    ...[
      'signCompact',
      'signCompactSemantic',
      'signWebSemantic',
      'signSdJwt',
      'createOffer',
      'createPreAuthorizedOffer',
      'createBulkIssuance',
      'renewBulkLink',
      'renewExpiredBulkLinks',
      'createClaimLink',
    ],
    ...['setCompactRevocationStatus', 'setCompactSemanticRevocationStatus', 'setWebSemanticRevocationStatus'],
    ...['createWebSemanticRevocationMessage', 'setMobileStatus', 'setSdJwtStatus', 'setRevocationStatuses'],
    ...['replayWebhookDeliveries', 'createPresentationRequest'],
  ],
  'People, their data and their sessions are not configuration': ['createUser', 'updateUser', 'endConsoleSessions'],
  'Messages and their inboxes are not configuration': [
    ...[
      'createInbox',
      'updateInbox',
      'registerInboxDid',
      'encryptMessage',
      'decryptMessage',
      'signMessage',
      'sendMessage',
    ],
  ],
  'It removes keys that no configuration has': ['destroyUnusedKeys'],
  'A logo is an uploaded picture, and files have its address': ['uploadLogo'],
  'Evidence is an uploaded document, with its name and description': [
    ...['createParticipantEvidence', 'updateParticipantEvidence'],
  ],
  'A listener exists while a developer runs a command': ['createWebhookListener', 'answerWebhookListenerRequest'],
  'The file of the tenant has these settings': ['updateSettings'],
  'They receive the files themselves': ['planConfiguration', 'applyConfiguration'],
}

const kinds = createKinds(routes)

/** The routes of all kinds and of their members. */
const ofFiles = [...kinds.values()].flatMap(({ routes: own, memberRoutes }) => [own, ...memberRoutes.values()])
const described = new Set(ofFiles.flatMap(({ create, replace }) => [create?.operation, replace?.operation]))

test('each body of a management operation is described by files, or is exempt with a reason', () => {
  const withBody = routes.filter(
    ({ access, method, body }) => access.kind === 'operators' && body && (method === 'PUT' || method === 'POST'),
  )
  const reasons = new Set(Object.values(exempt).flat())
  const missing = withBody
    .map(({ operation }) => operation)
    .filter((name) => !described.has(name) && !reasons.has(name))
  expect(missing).toEqual([])
  const existing = new Set(routes.map(({ operation }) => operation))
  expect([...reasons].filter((name) => described.has(name) || !existing.has(name))).toEqual([])
})

test('each kind has routes that read and change its objects', () => {
  for (const { name, routes: own, memberRoutes } of kinds.values()) {
    const { list, retrieve, create, replace } = own
    expect([name, (list && create) ?? (retrieve && replace)]).toEqual([name, expect.anything()])
    for (const ofMember of memberRoutes.values())
      expect([name, ofMember]).toEqual([
        name,
        expect.objectContaining({ create: expect.anything(), remove: expect.anything() }),
      ])
  }
  expect([...kinds.keys()]).toEqual(Object.keys(filePaths))
})

test('an admin may call each route of the kinds, except the PUT of its tenant', () => {
  const operations = ofFiles.flatMap((each) =>
    [each.list, each.retrieve, each.create, each.replace, each.remove].filter((route) => route !== undefined),
  )
  const others = operations.filter(({ access }) => access.kind !== 'operators' || !access.roles.includes('admin'))
  expect(others.map(({ operation }) => operation)).toEqual(['updateTenant'])
})

test('the schemas for editors have no member that a plan refuses', () => {
  const schemas = printFileSchemas(kinds)
  for (const { name, serverManaged = [] } of kinds.values())
    for (const path of serverManaged) {
      const names = path.split('.')
      const owner = names
        .slice(0, -1)
        .reduce((schema, each) => Object(schema?.properties)[each], schemas[filePaths[name]])
      expect([path, owner]).toEqual([path, expect.objectContaining({ properties: expect.any(Object) })])
      expect(Object.keys(Object(owner?.properties))).not.toContain(names.at(-1))
    }
})
