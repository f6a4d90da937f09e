import { Problem, type ProblemDetail } from '../../../shared/errors.ts'
import { isText } from '../../http/json.ts'

interface Sent {
  client_id?: string | undefined
  client_secret?: string | undefined
}

interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** They came in the header `Authorization`, and so is the challenge where they are wrong. */
  isBasic: boolean
}

const maxLength = 200

/**
 * Who the client says that it is: by `client_id` and `client_secret` of the body, or by Basic (RFC 6749, section 2.3.1), and not
 * by both (section 2.3). Throws `bad_request`, which is told as `invalid_request`.
 */
export function clientCredentialsOf(authorization: string, body: Sent): ClientCredentials {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return ofBody(body)
  const [clientId, clientSecret] = parts(Buffer.from(encoded, 'base64').toString())
  if (clientId === undefined || clientSecret === undefined)
    throw wrong('Must be Basic with client_id:client_secret, each form-encoded, together in base64')
  if (body.client_secret !== undefined)
    throw wrong('Must not come with a client_secret in the body: one of them is enough')
  if (body.client_id !== undefined && body.client_id !== clientId)
    throw wrong('Must be of the client that client_id in the body names')
  return { clientId, clientSecret, isBasic: true }
}

function ofBody({ client_id: clientId, client_secret: clientSecret }: Sent): ClientCredentials {
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret, isBasic: false }
  const missing = Object.entries({ client_id: clientId, client_secret: clientSecret }).filter(
    ([, value]) => value === undefined,
  )
  const details = missing.map(([param]): ProblemDetail => ({ msg: 'Required', param, location: 'body' }))
  throw new Problem('bad_request', { details })
}

function parts(text: string): (string | undefined)[] {
  const at = text.indexOf(':')
  return at < 0 ? [] : [formDecoded(text.slice(0, at)), formDecoded(text.slice(at + 1))]
}

/** RFC 6749, appendix B. */
function formDecoded(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.length <= maxLength && isText(decoded) ? decoded : undefined
  } catch {
    return undefined
  }
}

function wrong(msg: string): Problem {
  return new Problem('bad_request', { details: [{ msg, param: 'Authorization', location: 'headers' }] })
}
