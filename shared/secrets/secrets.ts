import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { createSealer, type SealContext, type Sealer, type SealFormat } from './sealing.ts'
import { tenantSecretContext } from './stored-contexts.ts'

/**
 * Secrets that all processes of the service share: keys that are derived from `SERVICE_SECRET`. They seal job data in Redis and
 * secrets in the database, and key the HMACs of short codes and nonces. They do not protect signing keys.
 */
export interface Secrets extends Macs {
  /** Seals for another process of the service, with a key of the use and the day. Returns base64url. */
  seal(plaintext: string, context: SealContext): string
  /** Seals bytes in the same way, without base64url. */
  sealBytes(plaintext: Buffer, context: SealContext): Buffer
  /** Opens the result of `sealBytes`. Throws as `open`. */
  openBytes(sealed: Buffer, context: SealContext): Buffer
  /** Throws if the text was changed, or sealed for another context. */
  open(sealed: string, context: SealContext): string
  /**
   * Returns the MACs of a tenant, for values that leave the service and return, and that stay valid when the tenant moves to another
   * installation or the service secret is replaced. The MACs of the service are accepted too while their secret is set: those of before
   * the tenant had its secret. They are the only ones of a tenant without a secret, and of one whose secret cannot be opened.
   */
  ofTenant(tenant: SecretTenant): Macs
  /** Returns a random secret of a new tenant, sealed. */
  newTenantSecret(tenantId: string): string
  /** Seals bytes again that were sealed under an earlier secret or in another format. Returns undefined for other bytes. Throws as `open`. */
  reseal(sealed: Buffer, context: SealContext): Buffer | undefined
}

/** MACs under a secret. Those under earlier secrets are accepted. */
export interface Macs {
  /** Returns the HMAC-SHA-256 for one use, in base64url. */
  mac(use: string, data: string): string
  /** Returns the result of `mac` under the current secret and under each earlier secret, to look up a value by any of them. */
  macs(use: string, data: string): [first: string, ...earlier: string[]]
  /** Returns whether the text is the result of `mac` under any of the secrets. Compares in constant time. */
  isMac(tag: string, use: string, data: string): boolean
}

/** A tenant with its secret, sealed. Null if an older version created it. */
export interface SecretTenant {
  id: string
  sealedSecret: string | null
}

export interface SecretsOptions {
  /** The format of new seals. Default: 2. */
  sealFormat?: SealFormat
  /** Gives the day of new seals. */
  clock?: Clock
}

/** Seals and keys with the first secret. Accepts all secrets, so that one can be replaced. */
export function createSecrets(serviceSecrets: ServiceSecrets, options: SecretsOptions = {}): Secrets {
  const all = serviceSecrets.map((secret) => keysOf(secret, options)) as [Keys, ...Keys[]]
  const [first] = all
  const service = macsUnder(all)
  const ofTenants = new LRUCache<string, Macs>({ max: 2_000 })

  function macsOf({ id, sealedSecret }: SecretTenant): Macs {
    const secret = sealedSecret === null ? undefined : openTenantSecret(all, id, sealedSecret)
    return secret ? macsUnder([{ mac: macKeysOf(secret) }, ...all]) : service
  }

  return {
    ...service,
    seal: (plaintext, context) => first.sealer.seal(Buffer.from(plaintext), context).toString('base64url'),
    sealBytes: (plaintext, context) => first.sealer.seal(plaintext, context),
    openBytes: (sealed, context) => openWithAny(all, sealed, context).plaintext,
    open: (sealed, context) => openWithAny(all, Buffer.from(sealed, 'base64url'), context).plaintext.toString(),
    ofTenant(tenant) {
      const name = `${tenant.id} ${tenant.sealedSecret}`
      const cachedMacs = ofTenants.get(name)
      if (cachedMacs) return cachedMacs
      const macs = macsOf(tenant)
      ofTenants.set(name, macs)
      return macs
    },
    newTenantSecret: (tenantId) =>
      first.sealer.seal(randomBytes(tenantSecretBytes), tenantSecretContext(tenantId)).toString('base64url'),
    reseal(sealed, context) {
      const { keys, plaintext } = openWithAny(all, sealed, context)
      const isCurrent = keys === first && first.sealer.isInFormat(sealed)
      return isCurrent ? undefined : first.sealer.seal(plaintext, context)
    },
  }
}

/** Returns the MACs under the first keys. Those under the other keys are accepted. */
function macsUnder(all: [MacKeys, ...MacKeys[]]): Macs {
  const [first, ...earlier] = all
  const mac = (keys: MacKeys, use: string, data: string) =>
    createHmac('sha256', keys.mac(use)).update(data).digest('base64url')
  return {
    mac: (use, data) => mac(first, use, data),
    macs: (use, data) => [mac(first, use, data), ...earlier.map((keys) => mac(keys, use, data))],
    isMac: (tag, use, data) => all.some((keys) => equalInConstantTime(tag, mac(keys, use, data))),
  }
}

/** Returns undefined if no service secret opens the secret of the tenant. Then api/cli/reseal.ts reports it. */
function openTenantSecret(all: [Keys, ...Keys[]], tenantId: string, sealedSecret: string): Buffer | undefined {
  try {
    return openWithAny(all, Buffer.from(sealedSecret, 'base64url'), tenantSecretContext(tenantId)).plaintext
  } catch {
    return undefined
  }
}

const tenantSecretBytes = 32

/** Values of `SERVICE_SECRET`, 32 bytes each. */
export type ServiceSecrets = readonly [Buffer, ...Buffer[]]

function openWithAny(all: [Keys, ...Keys[]], bytes: Buffer, context: SealContext): { keys: Keys; plaintext: Buffer } {
  let failure: unknown
  for (const keys of all) {
    try {
      return { keys, plaintext: keys.sealer.open(bytes, context) }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

interface MacKeys {
  mac(use: string): KeyObject
}

interface Keys extends MacKeys {
  sealer: Sealer
}

/** Derives the keys of one secret. */
function keysOf(serviceSecret: Buffer, { sealFormat = 2, clock }: SecretsOptions): Keys {
  const commonKey = deriveKey(serviceSecret, 'seal')
  return {
    sealer: createSealer({ secret: serviceSecret, commonKey, format: sealFormat, clock }),
    mac: macKeysOf(serviceSecret),
  }
}

/** Returns the keys of MACs by their use. Each is derived once. */
function macKeysOf(secret: Buffer): MacKeys['mac'] {
  const macKeys = new Map<string, KeyObject>()
  return (use) => {
    const key = macKeys.get(use) ?? deriveKey(secret, `mac ${use}`)
    macKeys.set(use, key)
    return key
  }
}

function deriveKey(secret: Buffer, use: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `trustwright ${use}`, 32)))
}

/** Compares two strings in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
