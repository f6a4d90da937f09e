import { maxMessageBytes } from '../../../shared/formats/jwm/limits.ts'
import { defineRoute, operators, type Route } from '../../http/route.ts'
import { requestDecryption } from './decrypt.ts'
import { requestEncryption } from './encrypt.ts'
import {
  DecryptedMessage,
  DecryptRequest,
  EncryptRequest,
  MessageToVerify,
  MessageView,
  SignedMessage,
  SignMessageRequest,
  VerifiedMessage,
} from './schemas.ts'
import { verifyMessage } from './verify.ts'

const shared = {
  tag: 'Messaging',
  method: 'POST',
  access: operators('admin', 'issuer', 'managed-issuer'),
  status: 200,
} satisfies Partial<Route>

export const messageRoutes = [
  defineRoute({
    ...shared,
    operation: 'encryptMessage',
    changesTenant: false,
    summary: 'Encrypt a message with your key. The recipients can authenticate you as its sender.',
    path: '/v1/messaging/encrypt',
    event: 'MESSAGING_ENCRYPT',
    body: EncryptRequest,
    response: MessageView,
    problems: ['service_unavailable'],
    handle: async ({ body, ...call }) => ({ jwe: await requestEncryption(call, body) }),
  }),
  defineRoute({
    ...shared,
    operation: 'decryptMessage',
    changesTenant: false,
    summary: 'Decrypt a message for one of your DIDs, and authenticate its sender',
    path: '/v1/messaging/decrypt',
    event: 'MESSAGING_DECRYPT',
    body: DecryptRequest,
    bodyLimitBytes: maxMessageBytes,
    response: DecryptedMessage,
    problems: ['verification_failed', 'sender_mismatch', 'service_unavailable'],
    handle: ({ body, ...call }) => requestDecryption(call, body),
  }),
  defineRoute({
    ...shared,
    operation: 'signMessage',
    summary: 'Sign a payload with your key',
    path: '/v1/messaging/sign',
    event: 'MESSAGING_SIGN',
    body: SignMessageRequest,
    response: SignedMessage,
    problems: ['service_unavailable'],
    async handle({ tenantId, body, deps, deadlineAt }) {
      const { jws } = await deps.keys.request('signMessages', { tenantId, ...body }, { deadlineAt })
      return jws
    },
  }),
  defineRoute({
    ...shared,
    operation: 'verifyMessage',
    changesTenant: false,
    summary: 'Verify a signature and return its signer',
    path: '/v1/messaging/verify',
    event: 'MESSAGING_VERIFY',
    body: MessageToVerify,
    bodyLimitBytes: maxMessageBytes,
    response: VerifiedMessage,
    handle: ({ body, deps, deadlineAt }) => verifyMessage({ deps, deadlineAt }, body.jws),
  }),
]
