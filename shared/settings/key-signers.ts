import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { parseStrictJson } from '../formats/strict-json.ts'
import { checkPlatformUrl } from '../outbound/check-outbound-url.ts'
import { type Environment, readSettings, refuse } from './settings.ts'

const integer = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}
const text = (pattern: RegExp, description: string) =>
  z.string({ error: `must be ${description}` }).regex(pattern, { error: `must be ${description}` })
const platformUrl = z.string({ error: 'must be a URL' }).superRefine(checkUrl)
const file = text(/^[^\0]{1,4096}$/, 'the path of a file')
const plainText = (description: string) => text(/^[\w.:@+-]{1,200}$/, description)

const LimitsSchema = z.strictObject({
  callsPerSecond: integer(1, 10_000).default(100),
  concurrency: integer(1, 128).default(16),
  waiting: integer(1, 100_000).default(1_000),
  timeoutMs: integer(50, 30_000).default(2_000),
  deadlineMs: integer(100, 60_000).default(5_000),
})

const TlsSchema = z
  .strictObject({ caFile: file.optional(), certificateFile: file.optional(), keyFile: file.optional() })
  .refine(({ certificateFile, keyFile }) => (certificateFile === undefined) === (keyFile === undefined), {
    error: 'must have both certificateFile and keyFile, or none of them',
  })

const common = { limits: LimitsSchema.prefault({}), tls: TlsSchema.optional() }
/** Begins the names of keys, so that installations can share a KMS. */
const prefix = text(/^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$/, '1 to 20 lower-case letters, digits and -').default(
  'trustwright',
)
const algorithms = ['ES256', 'Ed25519', 'X25519', 'ECDH-ES'] as const

const ofServer = z.strictObject({
  adapter: z.literal('remote-signer'),
  url: platformUrl,
  tokenFile: file.optional(),
  algorithms: z
    .array(z.enum(algorithms, { error: `must be one of ${algorithms.join(', ')}` }))
    .default([...algorithms]),
  ...common,
})

const ofAws = z.strictObject({
  adapter: z.literal('aws-kms'),
  region: text(/^[a-z]{2,8}(?:-[a-z]+)+-\d$/, 'a region such as eu-central-1'),
  url: platformUrl.optional(),
  credentialsFile: file,
  profile: plainText('the name of a profile').default('default'),
  prefix,
  ...common,
})

const ofGoogle = z.strictObject({
  adapter: z.literal('google-kms'),
  keyRing: text(
    /^projects\/[\w.:-]{1,100}\/locations\/[\w-]{1,63}\/keyRings\/[\w-]{1,63}$/,
    'projects/PROJECT/locations/LOCATION/keyRings/RING',
  ),
  url: platformUrl.default('https://cloudkms.googleapis.com'),
  tokenUrl: platformUrl.default('https://oauth2.googleapis.com/token'),
  credentialsFile: file,
  protectionLevel: z.enum(['HSM', 'SOFTWARE'], { error: 'must be HSM or SOFTWARE' }).default('HSM'),
  prefix,
  ...common,
})

const azureScope = 'https://vault.azure.net/.default'
const ofAzure = z.strictObject({
  adapter: z.literal('azure-key-vault'),
  url: platformUrl,
  loginUrl: platformUrl.default('https://login.microsoftonline.com'),
  directoryId: plainText('the id of a directory'),
  clientId: plainText('the id of an application'),
  clientSecretFile: file,
  scope: text(/^https:\/\/[\w.-]+\/\.default$/, `a scope such as ${azureScope}`).default(azureScope),
  keyType: z.enum(['EC-HSM', 'EC'], { error: 'must be EC-HSM or EC' }).default('EC-HSM'),
  prefix,
  ...common,
})

const ofVault = z.strictObject({
  adapter: z.literal('vault-transit'),
  url: platformUrl,
  tokenFile: file,
  mount: text(/^[\w-]+(?:\/[\w-]+)*$/, 'the path of a secrets engine').default('transit'),
  namespace: text(/^[\w-]+(?:\/[\w-]+)*\/?$/, 'the path of a namespace').optional(),
  prefix,
  ...common,
})

const SignerSchema = z.discriminatedUnion('adapter', [ofServer, ofAws, ofGoogle, ofAzure, ofVault], {
  error: 'must be remote-signer, aws-kms, google-kms, azure-key-vault or vault-transit',
})

const FileSchema = z.strictObject(
  {
    signers: z.record(z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/), SignerSchema, {
      error: 'must be an object',
    }),
  },
  { error: 'must be an object with the member signers' },
)

export type KeySigner = z.output<typeof SignerSchema>
export type KeySignerOf<Adapter extends KeySigner['adapter']> = Extract<KeySigner, { adapter: Adapter }>
/** The remote signers by name. */
export type KeySigners = ReadonlyMap<string, KeySigner>
export type SignerLimits = KeySigner['limits']

const maxBytes = 65_536
const maxDepth = 8

/**
 * Reads the remote signers from the file of KEY_SIGNERS, by name. Throws Misconfigured with one line for each mistake. Only the signing
 * process may call this.
 */
export function readKeySigners(env: Environment): KeySigners {
  const { KEY_SIGNERS: path } = readSettings(['KEY_SIGNERS'], env)
  if (path === undefined) return new Map()
  const value = readJson(path)
  const parsed = FileSchema.safeParse(value)
  if (!parsed.success) return refuseAll(path, parsed.error.issues.map(faultOf))
  const signers = new Map(Object.entries(parsed.data.signers))
  const faults = [...signers].flatMap(([name, signer]) => faultsOfFiles(name, signer))
  if (faults.length > 0) return refuseAll(path, faults)
  return signers
}

function readJson(path: string): unknown {
  const bytes = readLimited(path)
  if (typeof bytes === 'string') return refuseAll(path, [`the file ${bytes}`])
  const result = parseStrictJson(bytes, maxDepth)
  if ('value' in result) return result.value
  const reasons = { malformed: 'is not JSON', duplicate_member: 'has a member twice', too_deep: 'is nested too deeply' }
  return refuseAll(path, [`the file ${reasons[result.fault]}`])
}

/** Returns the bytes of a file, or why it cannot be used, as a predicate. */
function readLimited(path: string): Buffer | string {
  try {
    if (statSync(path).size > maxBytes) return 'has more than 64 KiB'
    const bytes = readFileSync(path)
    return bytes.length === 0 ? 'is empty' : bytes
  } catch (error) {
    return `cannot be read (${error instanceof Error && 'code' in error ? error.code : String(error)})`
  }
}

function refuseAll(path: string, faults: string[]): never {
  refuse(faults.map((fault) => `KEY_SIGNERS (${path}): ${fault}.`))
  throw new Error('there is a fault')
}

function faultOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.') || 'the file'
  if (issue.code === 'unrecognized_keys') return `${path} has the unknown member ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_key') return `${path} must have a name of 1 to 32 lower-case letters, digits and -`
  return `${path} ${issue.message}`
}

function checkUrl(url: string, context: z.RefinementCtx): void {
  const isPlain = !url.includes('?') && !url.endsWith('/')
  const refusal = checkPlatformUrl(url) ?? (isPlain ? undefined : 'must have neither a query nor a slash at its end')
  if (refusal) context.addIssue({ code: 'custom', message: refusal })
}

/** Checks that each file of a signer can be read. The files are read again while the process runs. */
function faultsOfFiles(name: string, signer: KeySigner): string[] {
  const paths = Object.entries({ ...signer, ...signer.tls }).filter(([member]) => member.endsWith('File'))
  return paths.flatMap(([member, path]) => {
    const bytes = readLimited(String(path))
    return typeof bytes === 'string' ? [`${member} of the signer ${name} names ${path}, which ${bytes}`] : []
  })
}
