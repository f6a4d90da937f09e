import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const ClientFacts = z.object({ baseUrl: z.string(), clientId: z.string(), clientSecret: z.string() })

/** The access data of the demo: the demo tenant with its client, and the client of the platform. */
const DemoFacts = ClientFacts.extend({ tenantId: z.string(), platform: ClientFacts })

export type ClientFacts = z.infer<typeof ClientFacts>
export type DemoFacts = z.infer<typeof DemoFacts>

export const demoFactsFile = (dataDir: string) => join(dataDir, 'demo.json')

/** Returns undefined if the file is missing or incomplete. */
export function readDemoFacts(dataDir: string): DemoFacts | undefined {
  const file = demoFactsFile(dataDir)
  if (!existsSync(file)) return undefined
  try {
    return DemoFacts.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** Replaces the file in one step. Only its owner can read it, because it contains secrets. */
export function writeDemoFacts(dataDir: string, facts: DemoFacts): void {
  const file = demoFactsFile(dataDir)
  const draft = `${file}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, file)
}
