import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const ClientFacts = z.object({ baseUrl: z.string(), clientId: z.string(), clientSecret: z.string() })

/** What a newcomer's programs need to know: the demo tenant with its client, and the platform's client. */
const DemoFacts = ClientFacts.extend({ tenantId: z.string(), platform: ClientFacts })

export type ClientFacts = z.infer<typeof ClientFacts>
export type DemoFacts = z.infer<typeof DemoFacts>

export const demoFactsFile = (dataDir: string) => join(dataDir, 'demo.json')

/** Undefined when the file is not there, or not whole. */
export function readDemoFacts(dataDir: string): DemoFacts | undefined {
  const file = demoFactsFile(dataDir)
  if (!existsSync(file)) return undefined
  try {
    return DemoFacts.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** For its owner's eyes alone, since the secrets are in it; replaced as a whole. */
export function writeDemoFacts(dataDir: string, facts: DemoFacts): void {
  const file = demoFactsFile(dataDir)
  const draft = `${file}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, file)
}
