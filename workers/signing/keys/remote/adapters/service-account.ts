import { createPrivateKey, sign } from 'node:crypto'
import { unixSeconds } from '../../../../../shared/clock.ts'
import { NoAnswer } from '../transport.ts'

const scope = 'https://www.googleapis.com/auth/cloudkms'
const assertionSeconds = 600

/** Returns the assertion of a service account of Google for its access token (RFC 7523, section 3). `file` is its JSON file. */
export function serviceAccountAssertion(file: string, aud: string, at: Date): string {
  try {
    const { client_email: iss, private_key: pem } = JSON.parse(file)
    const iat = unixSeconds(at)
    const claims = { iss, scope, aud, iat, exp: iat + assertionSeconds }
    const input = [{ alg: 'RS256', typ: 'JWT' }, claims].map(base64urlJson).join('.')
    return `${input}.${sign('RSA-SHA256', Buffer.from(input), createPrivateKey(pem)).toString('base64url')}`
  } catch {
    throw new NoAnswer('credentialsFile is not the JSON file of a service account')
  }
}

function base64urlJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
