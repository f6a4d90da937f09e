import { createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import { generateSoftwareKey, openSoftwareKey } from '../software-keys.ts'
import type { Token } from './open-token.ts'

const algorithms = ['ES256', 'Ed25519'] as const
type Algorithm = (typeof algorithms)[number]

/** Signatures that run at the same time, as a batch of credentials does. */
const atOnce = 16
/** The rounds, and the time of each kind of signature in a round. */
const defaultLength = { rounds: 5, roundMs: 1_000 }

interface Measured {
  algorithm: Algorithm
  /** Signatures per second. */
  token: number
  software: number
  /** The token divided by the software: the median of the rounds. */
  ratio: number
}

/**
 * Compares the signatures of a token, each of which is verified, with those of software keys, in rounds. Makes a key for each algorithm and
 * destroys it.
 */
export async function measureToken(token: Token, length = defaultLength): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const algorithm of algorithms)
    if (token.algorithms.includes(algorithm)) measured.push(await measure(token, algorithm, length))
  return measured
}

async function measure(
  token: Token,
  algorithm: Algorithm,
  { rounds, roundMs }: typeof defaultLength,
): Promise<Measured> {
  const id = randomUUID()
  const { handle, publicJwk } = await token.generateKeyPair({ algorithm, id, label: `benchmark ${id}` })
  try {
    const publicKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' })
    const inToken = (bytes: Buffer) => token.sign({ handle, algorithm, publicKey }, bytes)
    const software = openSoftwareKey({ id, algorithm }, generateSoftwareKey(algorithm).privateBytes)
    if (!('sign' in software)) throw new Error(`${algorithm} does not sign`)
    const pairs: [number, number][] = []
    for (let round = 0; round < rounds; round++)
      pairs.push([await ratePerSecond(inToken, roundMs), await ratePerSecond(software.sign, roundMs)])
    const [ofToken, ofSoftware] = [pairs.map(([rate]) => rate), pairs.map(([, rate]) => rate)]
    const ratio = median(pairs.map(([rate, other]) => rate / other))
    return { algorithm, token: median(ofToken), software: median(ofSoftware), ratio }
  } finally {
    await token.destroy(handle)
  }
}

async function ratePerSecond(sign: (bytes: Buffer) => Promise<unknown>, roundMs: number): Promise<number> {
  const [bytes, startedAt] = [randomBytes(300), performance.now()]
  let count = 0
  const run = async () => {
    while (performance.now() - startedAt < roundMs) {
      await sign(bytes)
      count++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return count / ((performance.now() - startedAt) / 1_000)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
