import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The configuration that the development provider and the demo tenant share, and keys that stay the same after a restart. */
const IdentityProviderFacts = z.object({
  issuer: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  cookieKey: z.string(),
  signingKey: z.record(z.string(), z.unknown()),
})

export type IdentityProviderFacts = z.infer<typeof IdentityProviderFacts>

const fileOf = (dataDir: string) => join(dataDir, 'identity-provider.json')

/** Returns undefined if there is no development provider. */
export function readIdentityProviderFacts(dataDir: string): IdentityProviderFacts | undefined {
  const file = fileOf(dataDir)
  return existsSync(file) ? IdentityProviderFacts.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
}

/** Creates the file on the first start. Only its owner can read it. Later, only the address can change. */
export function keepIdentityProviderFacts(dataDir: string, issuer: string): IdentityProviderFacts {
  const stored = readIdentityProviderFacts(dataDir)
  const facts = stored ? { ...stored, issuer } : newFacts(issuer)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${fileOf(dataDir)}.new`
  writeFileSync(draft, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, fileOf(dataDir))
  return facts
}

function newFacts(issuer: string): IdentityProviderFacts {
  const secret = () => randomBytes(32).toString('base64url')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signingKey = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'development' }
  return { issuer, clientId: 'trustwright-demo', clientSecret: secret(), cookieKey: secret(), signingKey }
}
