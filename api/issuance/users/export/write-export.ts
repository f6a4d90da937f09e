import { setImmediate } from 'node:timers/promises'
import { findUser } from '../../../../db/repos/issuance/users/users.ts'
import type { PersonRow } from '../../../../db/retention/person-tables.ts'
import type { Deps } from '../../../deps.ts'
import { presentRow, type Section, sections } from './sections.ts'

/** The data that the service stores about a person, at one time. */
export interface UserExport {
  deps: Pick<Deps, 'db' | 'secrets' | 'downloads'>
  tenantId: string
  userId: string
  /** The base URL of the tenant. */
  issuer: string
  tenantName: string
  exportedAt: Date
}

/** A format of an export. Each function returns a part of the text. */
export interface ExportWriter {
  start(of: UserExport): string
  section(section: Section, index: number): string
  row(row: PersonRow, index: number): string
  sectionEnd(count: number): string
  end(): string
}

/** Rows are opened and written for so long before other requests run. */
const busyMs = 10

/**
 * Writes the data of a person in portions, without a transaction. Throws if the person is erased meanwhile, which breaks the connection:
 * an export that ends is complete.
 */
export async function* writeExport(of: UserExport, writer: ExportWriter): AsyncGenerator<Buffer> {
  const { deps, tenantId, userId } = of
  yield Buffer.from(writer.start(of))
  for (const [index, section] of sections.entries()) {
    let count = 0
    let text = writer.section(section, index)
    let since = performance.now()
    for await (const portion of section.read(deps.db.read, { tenantId, userId })) {
      for (const row of portion) {
        text += writer.row(presentRow(section, row, deps.secrets), count++)
        if (performance.now() - since < busyMs) continue
        await setImmediate()
        since = performance.now()
      }
      if (text !== '') yield Buffer.from(text)
      text = ''
    }
    yield Buffer.from(text + writer.sectionEnd(count))
  }
  if (!(await findUser(deps.db.read, tenantId, userId))) throw new Error('The person was erased during the export.')
  yield Buffer.from(writer.end())
}
