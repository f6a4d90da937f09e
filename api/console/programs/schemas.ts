import { z } from 'zod'
import { described, exampleId, secret, Timestamp } from '../../http/fields.ts'
import { SignedInView } from '../session/schemas.ts'

const exampleCode = `${exampleId('code')}.o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo`
const base64url256 = /^[A-Za-z0-9_-]{43}$/

export const ProgramCodeRequest = z.object({
  challenge: described(
    z.string().regex(base64url256, 'Must be a SHA-256 in base64url'),
    'The SHA-256 of a secret of the program in base64url (RFC 7636, S256)',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
})

export const ProgramCodeView = z.object({
  code: secret(described(z.string(), 'The code that the program exchanges once for a session', exampleCode)),
  expiresAt: Timestamp.describe('The end of the code, after two minutes'),
})

export const ProgramSessionRequest = z.object({
  code: secret(described(z.string().max(200), 'The code that the operator allowed', exampleCode)),
  codeVerifier: secret(
    described(
      z.string().min(43).max(128),
      'The secret of the program, whose hash is the challenge',
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    ),
  ),
})

export const ProgramSessionView = SignedInView.extend({
  cookie: secret(
    described(
      z.string(),
      'The value of the header `Cookie` of later requests. They also need the header `X-Console`.',
      `__Host-console=${exampleCode}`,
    ),
  ),
})
