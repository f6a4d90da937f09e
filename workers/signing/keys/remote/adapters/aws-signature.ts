import { createHmac, hash } from 'node:crypto'
import { NoAnswer } from '../transport.ts'

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

export interface RequestToSign {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * Returns the headers that authorize a POST request without a query, by Signature Version 4. Source: "Create a signed AWS API
 * request" in the AWS IAM User Guide.
 */
export function awsAuthorization(
  { url, headers, body }: RequestToSign,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  { region, service, at }: { region: string; service: string; at: Date },
): Record<string, string> {
  const { host, pathname } = new URL(url)
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const date = time.slice(0, 8)
  const added = { 'x-amz-date': time, ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }) }
  const signed = Object.entries({ ...headers, host, ...added }).sort(([one], [other]) => (one < other ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const canonicalRequest = ['POST', pathname, '', lines, names, hash('sha256', body, 'hex')].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonicalRequest, 'hex')].join('\n')
  let key: string | Buffer = `AWS4${secretAccessKey}`
  for (const part of [date, region, service, 'aws4_request']) key = hmac(key, part)
  const signature = hmac(key, toSign).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { ...added, authorization }
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Reads a profile of a shared credentials file of AWS. */
export function readAwsCredentials(file: string, profile: string): AwsCredentials {
  const values = new Map<string, string>()
  let section = ''
  for (const line of file.split(/\r?\n/)) {
    const [, name] = /^\s*\[\s*(.+?)\s*\]\s*$/.exec(line) ?? []
    if (name !== undefined) section = name
    const [, key, value] = /^\s*(aws_\w+)\s*=\s*(\S+)\s*$/.exec(line) ?? []
    if (section === profile && key !== undefined && value !== undefined) values.set(key, value)
  }
  const accessKeyId = values.get('aws_access_key_id')
  const secretAccessKey = values.get('aws_secret_access_key')
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new NoAnswer(`credentialsFile has no access key in the profile ${profile}`)
  }
  return { accessKeyId, secretAccessKey, sessionToken: values.get('aws_session_token') }
}
