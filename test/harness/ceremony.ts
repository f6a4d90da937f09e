import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readApproval } from '../../api/cli/trustwright/ceremony/approvals.ts'
import { type CeremonyKeys, createEphemeralKeys } from '../../api/cli/trustwright/ceremony/ceremony-keys.ts'
import { lintCeremony } from '../../api/cli/trustwright/ceremony/lint.ts'
import { type CeremonyToRun, runCeremony } from '../../api/cli/trustwright/ceremony/run-ceremony.ts'
import { systemClock } from '../../shared/clock.ts'

export const rootItem = {
  ...{ id: 'root', kind: 'iaca', validity: { years: 10 } },
  subject: { country: 'NZ', commonName: 'Transport Agency IACA' },
  ...{ contactUrl: 'https://agency.example', crlUrl: 'https://agency.example/root.crl' },
}
export const crlItem = { id: 'root-crl', kind: 'crl', issuer: 'root', number: 1, nextUpdateDays: 90, revoked: [] }

/** A person with a key of minisign. */
export function newApprover(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyId = randomBytes(8)
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const line = Buffer.concat([Buffer.from('Ed'), keyId, raw]).toString('base64')
  return {
    name,
    publicKey: line,
    sign: (bytes: Buffer, isLegacy = false) => minisign(bytes, { keyId, privateKey, isLegacy }),
  }
}

/** Signs as minisign does. */
function minisign(bytes: Buffer, key: { keyId: Buffer; privateKey: KeyObject; isLegacy: boolean }): string {
  const message = key.isLegacy ? bytes : createHash('blake2b512').update(bytes).digest()
  const signature = sign(null, message, key.privateKey)
  const comment = 'timestamp:1796000000\tfile:ceremony.jsonc'
  const ofComment = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key.privateKey)
  const main = Buffer.concat([Buffer.from(key.isLegacy ? 'Ed' : 'ED'), key.keyId, signature]).toString('base64')
  const lines = ['untrusted comment: signature from minisign secret key', main, `trusted comment: ${comment}`]
  return `${[...lines, ofComment.toString('base64')].join('\n')}\n`
}

/** A folder with a ceremony file of two approvers. The outputs are in folders beside it. */
export function newCeremony(make: object[] = [rootItem, crlItem], changes: object = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-ceremony-'))
  const file = join(dir, 'ceremony.jsonc')
  const people = ['ada', 'grace', 'joan'].map(newApprover)
  const keys = people.map(({ name, publicKey }) => ({ name, publicKey }))
  const content = { version: 1, name: 'Root of the agency', approvals: { required: 2, keys }, make, ...changes }
  const write = (text: string | object) =>
    writeFileSync(file, typeof text === 'string' ? text : `// A root\n${JSON.stringify(text, null, 2)}\n`)
  write(content)

  /** Adds a file beside the ceremony file. Returns the reference to it. */
  function addFile(name: string, text: string | Buffer) {
    writeFileSync(join(dir, name), text)
    return { file: name, sha256: createHash('sha256').update(text).digest('hex') }
  }

  async function runWith(changes: Partial<CeremonyToRun> & { out: string }): Promise<string> {
    const { out, ...rest } = changes
    const ceremony = await lintCeremony(file, rest.clock ?? systemClock)
    return runCeremony({
      ...{ ceremony, mode: 'ceremony', keys: createEphemeralKeys(), clock: systemClock, operator: 'Ada Byron' },
      ...{ folder: join(dir, out), isContinued: false, approvals: [], ...rest },
    })
  }

  async function rehearse(out = 'rehearsal'): Promise<Buffer> {
    await runWith({ out, mode: 'rehearsal' })
    return readFileSync(join(dir, out, 'transcript.jsonl'))
  }

  /** The approvals of the first people of the list. */
  async function approve(count = 2) {
    const ceremony = await lintCeremony(file, systemClock)
    return people.slice(0, count).map((person, index) => {
      const approval = readApproval(ceremony, Buffer.from(person.sign(readFileSync(file), index === 1)))
      if ('fault' in approval) throw new Error(approval.fault)
      return approval
    })
  }

  /** Rehearses, approves and runs. */
  async function run(out = 'out', keys: CeremonyKeys = createEphemeralKeys(), changes: Partial<CeremonyToRun> = {}) {
    const { rehearsal = await rehearse(`${out}-rehearsal`), approvals = await approve(), ...rest } = changes
    await runWith({ out, keys, rehearsal, approvals, ...rest })
    return join(dir, out)
  }

  return {
    ...{ dir, file, people, content, write, addFile, runWith, rehearse, approve, run },
    end: () => rmSync(dir, { recursive: true, force: true }),
  }
}
