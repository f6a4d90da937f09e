import { z } from 'zod'
import { findStatus } from '../../../db/repos/status/entries.ts'
import { notFound } from '../../../shared/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { statusListPath } from '../../../shared/status-lists.ts'
import { Uuid } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { notRevocable } from '../../status/revocation/not-revocable.ts'

/** A DID, or one of its keys. */
const DidUrl = z
  .string()
  .max(1000)
  .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+(#[A-Za-z0-9._:%-]+)?$/, 'Must be a DID, or the DID URL of a key')
  .meta({ examples: ['did:web:issuer.example.org'] })

const Notification = z.object({ from: DidUrl, to: z.array(DidUrl).min(1).max(100) })

/** As wallets of the reference platform know it. */
const messageType = 'https://mattr.global/schemas/verifiable-credential/status/RevocationStatus'

const Message = z.object({
  id: Uuid,
  type: z.literal(messageType),
  to: z.array(z.string()),
  from: z.string(),
  created_time: z.int().describe('Milliseconds since 1970'),
  body: z.object({
    revocationListCredential: z.url(),
    revocationListIndex: z.string(),
    isRevoked: z.boolean(),
  }),
})

const profile = 'web-semantic'

export const notificationRoutes = [
  defineRoute({
    operation: 'createWebSemanticRevocationMessage',
    summary: "Make the message that tells a credential's holder how it stands; it is sent with messaging",
    tag: 'Web semantic',
    method: 'POST',
    path: `/v2/credentials/${profile}/:id/revocation-status/notification`,
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'CREDENTIAL_WEB_SEMANTIC_REVOCATION_MESSAGE_PAYLOAD_CREATE',
    params: z.object({ id: Uuid }),
    body: Notification,
    status: 201,
    response: Message,
    problems: ['bad_request', 'not_found'],
    async handle({ tenant, tenantId, params: { id }, body: { from, to }, deps }) {
      const found = await findStatus(deps.db.read, tenantId, id)
      if (found?.profile !== profile) throw notFound('id', id)
      const { listId, position, status } = found
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
