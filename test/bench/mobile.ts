import { residentMegabytes } from './cpu.ts'
import { createLane } from './lane.ts'
import type { Bench } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { type Alternated, alternated, type FlowContent, flowsPhase, type Phase } from './phases.ts'

export interface MobileResults {
  /** Mdocs with the claims of the compact credentials, compared with compact credentials. */
  besideCompact: Alternated
  /** Mdocs with a picture of 200 KB. */
  portrait: Phase
  /** Megabytes before and after the flows with pictures. */
  memoryBefore: Record<string, number>
  memoryAfter: Record<string, number>
}

const namespace = 'org.example.bench.1'
/** The start of a CBOR map with two members, the first of them `nameSpaces`, as base64url. */
const begins = 'ompuYW1lU3BhY2Vz'
const portraitBytes = 200_000

export async function mobilePhases(bench: Bench, options: BenchOptions): Promise<MobileResults> {
  const configure = await configurator(bench)
  const plain: FlowContent = { name: 'mobile ', configurationId: await configure({}), begins }
  const withPortrait = { portrait: { mapFrom: 'claims.portrait', type: 'bstr', required: true } }
  const portrait = {
    name: 'mobile 200 KB portrait ',
    configurationId: await configure(withPortrait),
    begins,
    portraitBytes,
  }
  // The first flow creates the document signer.
  await flowsPhase(bench, Math.ceil(options.flows / 5), 8, options.withinMs, { content: plain })
  const besideCompact = await alternated(bench, options, plain)
  const memoryBefore = residentMegabytes(bench.stack.pids)
  const phase = await flowsPhase(bench, Math.ceil(options.flows / 5), 8, options.withinMs, { content: portrait })
  return { besideCompact, portrait: phase, memoryBefore, memoryAfter: residentMegabytes(bench.stack.pids) }
}

/** Makes configurations of mobile credentials under an active IACA. */
async function configurator({ stack, target: { token } }: Bench) {
  await using lane = createLane(stack.origin)
  const iacas = '/v2/credentials/mobile/iacas'
  const { id } = await lane.call('POST', iacas, { commonName: 'Bench IACA', country: 'NZ' }, { token })
  await lane.call('PUT', `${iacas}/${id}`, { active: true }, { token })
  return async (more: object): Promise<string> => {
    await using own = createLane(stack.origin)
    const mapped = ['given_name', 'family_name', 'birth_date', 'level'].map((name) => [
      name,
      { mapFrom: `claims.${name}` },
    ])
    const claimMappings = { [namespace]: { ...Object.fromEntries(mapped), ...more } }
    const body = { type: namespace, claimMappings, expiresIn: { years: 1 } }
    return (await own.call('POST', '/v2/credentials/mobile/configurations', body, { token })).id
  }
}
