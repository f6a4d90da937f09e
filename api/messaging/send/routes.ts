import { maxMessageBytes } from '../../../shared/formats/jwm/limits.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { NewSend } from './schemas.ts'
import { sendMessage } from './send.ts'

export const sendRoutes = [
  defineRoute({
    operation: 'sendMessage',
    summary:
      'Send an encrypted message to a DID: to the inboxes where the DID is registered, or to the address in its DID document.',
    tag: 'Messaging',
    method: 'POST',
    path: '/v1/messaging/send',
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'MESSAGING_SEND',
    body: NewSend,
    bodyLimitBytes: maxMessageBytes,
    status: 200,
    creates: true,
    problems: ['bad_request', 'conflict'],
    handle: (call) => sendMessage(call, call.body),
  }),
]
