import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { BytesSigner } from '../../../../shared/formats/bytes-signer.ts'

/** A P-256 key of a ceremony. */
export interface CeremonyKey extends BytesSigner {
  /** The name of the key at its provider. */
  readonly handle: string
}

/** Where the keys of a ceremony live. */
export interface CeremonyKeys {
  /** Where the keys are, in words. It is in the transcript. */
  readonly place: string
  /** Makes a key. The label is not taken: the caller has searched for it. */
  generate(label: string): Promise<CeremonyKey>
  /** Finds a key by its label. */
  find(label: string): Promise<CeremonyKey | undefined>
  /** Finds the key of a certificate. */
  findByPublicKey(publicKey: KeyObject): Promise<CeremonyKey | undefined>
  destroy(label: string): Promise<void>
  close(): Promise<void>
}

/** Keys in the memory of this process, for rehearsals. They end with the process. */
export function createEphemeralKeys(): CeremonyKeys {
  const keys = new Map<string, CeremonyKey>()
  return {
    place: 'the memory of the process',
    async generate(label) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const key: CeremonyKey = {
        ...{ handle: label, publicKey },
        sign: async (bytes) => sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
      }
      keys.set(label, key)
      return key
    },
    find: async (label) => keys.get(label),
    findByPublicKey: async (publicKey) => [...keys.values()].find((key) => key.publicKey.equals(publicKey)),
    destroy: async (label) => void keys.delete(label),
    close: async () => keys.clear(),
  }
}
