import { z } from 'zod'
import { findStatus } from '../../../db/repos/status/entries.ts'
import { statusListPath } from '../../../shared/domain/status/status-lists.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { described, EpochMilliseconds, exampleBaseUrl, exampleDid, exampleId, idOf } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { notRevocable } from '../../status/revocation/not-revocable.ts'

/** A DID, or the DID URL of one of its keys. */
const DidUrl = z
  .string()
  .max(1000)
  .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+(#[A-Za-z0-9._:%-]+)?$/, 'Must be a DID or the DID URL of a key')

const exampleHolder = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

const Notification = z.object({
  from: described(DidUrl, 'The DID of the sender', exampleDid),
  to: described(z.array(DidUrl).min(1).max(100), 'The DIDs of the recipients, at most 100', [exampleHolder]),
})

/** The type that wallets of the reference platform support. */
const messageType = 'https://mattr.global/schemas/verifiable-credential/status/RevocationStatus'

const Message = z.object({
  id: idOf('message'),
  type: z.literal(messageType).describe('The type of the message'),
  to: described(z.array(z.string()), 'The DIDs of the recipients', [exampleHolder]),
  from: described(z.string(), 'The DID of the sender', exampleDid),
  created_time: EpochMilliseconds.describe('When it was created, in milliseconds since 1970'),
  body: z
    .object({
      revocationListCredential: described(
        z.url(),
        'The address of the list',
        `${exampleBaseUrl}/v2/credentials/web-semantic/revocation-lists/${exampleId('web semantic list')}`,
      ),
      revocationListIndex: described(z.string(), 'The index of the credential in the list, from 0', '235436'),
      isRevoked: described(z.boolean(), 'Whether the credential is revoked', true),
    })
    .describe('The status of the credential'),
})

const profile = 'web-semantic'

export const notificationRoutes = [
  defineRoute({
    operation: 'createWebSemanticRevocationMessage',
    summary: 'Create a message with the status of a credential for its holder. Send it with the messaging operations.',
    tag: 'Web semantic',
    method: 'POST',
    path: `/v2/credentials/${profile}/:id/revocation-status/notification`,
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'CREDENTIAL_WEB_SEMANTIC_REVOCATION_MESSAGE_PAYLOAD_CREATE',
    params: z.object({ id: idOf('web-semantic credential') }),
    body: Notification,
    status: 201,
    response: Message,
    problems: ['bad_request', 'not_found'],
    async handle({ tenant, tenantId, params: { id }, body: { from, to }, deps }) {
      const credential = await findStatus(deps.db.read, tenantId, id)
      if (credential?.profile !== profile) throw notFound('id', id)
      const { listId, position, status } = credential
      if (listId === null) throw notRevocable('id', id)
      return {
        id: newId(),
        type: messageType,
        ...{ to, from },
        created_time: deps.clock.now().getTime(),
        body: {
          revocationListCredential: tenant.baseUrl + statusListPath(profile, listId),
          revocationListIndex: String(position),
          isRevoked: status === 'invalid',
        },
      }
    },
  }),
]
