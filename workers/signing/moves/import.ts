import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCopyProgress, rowsText } from '../../../db/copy/progress.ts'
import { currentMigration } from '../../../db/copy/require-version.ts'
import { isImported } from '../../../db/moves/check-target.ts'
import { countRows } from '../../../db/moves/export-tenant.ts'
import { importTenant } from '../../../db/moves/import-tenant.ts'
import { linesOf } from '../../../db/moves/line-files.ts'
import { type MoveHeader, readHeader } from '../../../db/moves/move-file.ts'
import { openImportSide } from '../../../db/moves/open-sides.ts'
import { signProof } from '../../../db/moves/proof.ts'
import { openLines } from '../../../db/moves/sealed-lines.ts'
import { Misconfigured } from '../../../shared/process/dependency.ts'
import type { Installation } from './installation.ts'
import { privateKeysFile, readReceiverFile } from './receive.ts'
import { sealedRowValues } from './sealed-row-values.ts'

export interface Import extends Installation {
  file: string
  /** The folder with the keys of the receiver. It gets the proof. */
  folder: string
}

/** Imports a tenant from a file, and writes the proof of it. Throws Misconfigured with what the operator must do. */
export async function importFromFile({
  file,
  folder,
  databaseUrl,
  secrets,
  keyring,
  clock,
  print,
}: Import): Promise<void> {
  const receiver = readReceiverFile(join(folder, privateKeysFile), 'private')
  if (!existsSync(file)) throw new Misconfigured(`There is no file at ${file}.`)
  const { header: text, texts } = await openLines(linesOf(file), receiver.encryption)
  const header = readHeader(text)
  const side = await openImportSide(databaseUrl)
  const proof = join(folder, proofFile)
  try {
    requireMigration(header, currentMigration(side))
    if (await isImported(side, header.exportId)) {
      if (existsSync(`${proof}.part`)) await rename(`${proof}.part`, proof)
      throw new Misconfigured(`This export was imported before. It cannot be imported twice. The proof is in ${proof}.`)
    }
    const at = clock.now()
    await importTenant({
      ...{ side, header, texts, at, values: sealedRowValues({ secrets, keyring, at }) },
      progress: createCopyProgress(print),
      async beforeCommit(summary) {
        await writeFile(`${proof}.part`, await signProof(receiver, { header, summary, at }), { flush: true })
        print(
          `${rowsText(countRows(summary))} of ${summary.tables.length} tables: counts, digests and audit are equal.`,
        )
      },
    })
    await rename(`${proof}.part`, proof)
    print(`The tenant ${header.tenant.name} (${header.tenant.id}) is active here. The proof is in ${proof}.`)
  } finally {
    await side.close()
  }
}

const proofFile = 'proof.jws'

function requireMigration({ migration }: MoveHeader, current: string): void {
  if (migration === current) return
  throw new Misconfigured(
    `The export is of another version: its last migration is ${migration}, and here it is ${current}. Use the same version at both installations.`,
  )
}
