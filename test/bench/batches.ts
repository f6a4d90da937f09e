import { newAttester } from '../wallets/attestation.ts'
import type { Bench } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { type Alternated, alternated, compactOf } from './phases.ts'

/** The keys of a batch, as in the target. */
const batchKeys = 30

/** Flows that collect a batch for one key attestation, in turns with flows that collect one credential. */
export async function batchPhases(bench: Bench, options: BenchOptions): Promise<Alternated> {
  const { rootPem, leaf, x5c } = await newAttester()
  await bench.data.trustAttester(rootPem)
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', leaf.keys.privateKey)
  const attester = { x5c, privateKey: Buffer.from(pkcs8).toString('base64') }
  return alternated(bench, options, {
    ...compactOf(bench),
    name: `batch of ${batchKeys} `,
    batch: { keys: batchKeys, attester },
  })
}
