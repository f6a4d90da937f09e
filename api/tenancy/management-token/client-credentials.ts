import { Problem, type ProblemDetail } from '../../../shared/errors/errors.ts'
import { isText } from '../../../shared/formats/lossless-json.ts'

interface Sent {
  client_id?: string | undefined
  client_secret?: string | undefined
}

interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** Whether they were in the header `Authorization`. The challenge of an error then names Basic. */
  isBasic: boolean
}

const maxLength = 200

/**
 * Reads the client credentials: `client_id` and `client_secret` in the body, or Basic (RFC 6749, section 2.3.1), but not both
 * (section 2.3). Throws `bad_request`, which the route answers as `invalid_request`.
 */
export function clientCredentialsOf(authorization: string, body: Sent): ClientCredentials {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return ofBody(body)
  const [clientId, clientSecret] = parts(Buffer.from(encoded, 'base64').toString())
  if (clientId === undefined || clientSecret === undefined)
    throw wrong('Must be Basic with the form-encoded client_id:client_secret in base64')
  if (body.client_secret !== undefined) throw wrong('Must not be sent together with a client_secret in the body')
  if (body.client_id !== undefined && body.client_id !== clientId) throw wrong('Must have the client_id of the body')
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
