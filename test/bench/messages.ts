import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { OkpPublicJwk } from '../../shared/formats/jwk.ts'
import { openMessage } from '../../shared/formats/jwm/open-message.ts'
import { messageFor } from '../../shared/formats/jwm/read-message.ts'
import { sealMessage } from '../../shared/formats/jwm/seal-message.ts'
import { testAgreement } from '../harness/test-signer.ts'
import type { CallsJob } from './driver-jobs.ts'
import { createLane } from './lane.ts'
import { type Rate, rateOfPromises } from './limits.ts'
import type { Bench } from './measure.ts'
import type { Phase } from './phases.ts'

export interface MessageResults {
  /** In this process, without the service. */
  sealed: Rate
  opened: Rate
  /** Over HTTP: encrypted, opened, signed, verified. */
  phases: Phase[]
}

const payload = {
  id: 'd6a1a4f2-4f0c-4b39-9d0a-2f8a5c1d7e11',
  type: 'https://example.org/protocols/bench/1.0/message',
  created_time: 1_800_000_000,
  body: { text: 'x'.repeat(300) },
}

/** Sends messages between DIDs of the tenant, so that no other host is needed. */
export async function messagePhases(bench: Bench, count: number): Promise<MessageResults> {
  const { stack, target } = bench
  await using lane = createLane(stack.origin)
  const { token } = target
  const { did } = await lane.call('POST', '/v1/dids', { method: 'key' }, { token })
  const toEncrypt = { senderDidUrl: did, recipientDidUrls: [did], payload }
  const { jwe } = await lane.call('POST', '/v1/messaging/encrypt', toEncrypt, { token })
  const jws = await lane.call('POST', '/v1/messaging/sign', { didUrl: did, payload }, { token })
  const bodies = { encrypt: toEncrypt, decrypt: { jwe }, sign: { didUrl: did, payload }, verify: { jws } }
  const phases: Phase[] = []
  for (const [name, body] of Object.entries(bodies)) {
    const calls: CallsJob['calls'] = Array.from({ length: count }, () => ({
      method: 'POST',
      path: `/v1/messaging/${name}`,
      body,
    }))
    const job = { kind: 'calls' as const, ...target, calls, concurrency: 8 }
    phases.push({ name: `messages, ${name}`, count, concurrency: 8, ...(await bench.measure(() => bench.drive(job))) })
  }
  return { ...(await alone()), phases }
}

async function alone(): Promise<Pick<MessageResults, 'sealed' | 'opened'>> {
  const [sender, recipient] = [generateKeyPairSync('x25519'), generateKeyPairSync('x25519')]
  const plaintext = Buffer.from(JSON.stringify(payload))
  const from = { didUrl: 'did:example:alice#key', key: testAgreement(sender.privateKey) }
  const seal = () => sealMessage(plaintext, from, [{ didUrl: 'did:example:bob#key', jwk: jwkOf(recipient.publicKey) }])
  const message = await seal()
  const parties = { key: testAgreement(recipient.privateKey), senderJwk: jwkOf(sender.publicKey) }
  const open = () => openMessage(messageFor(message, 0), parties)
  return { sealed: await rateOfPromises(seal), opened: await rateOfPromises(open) }
}

function jwkOf(key: KeyObject): OkpPublicJwk {
  const { x = '' } = key.export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'X25519', x }
}
