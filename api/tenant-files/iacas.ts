import { addToOutbox } from '../../db/outbox.ts'
import { findCertificateRow } from '../../db/repos/certificates/certificates.ts'
import { insertAuthority } from '../certificates/authorities/create.ts'
import { NewIaca } from '../certificates/authorities/schemas.ts'
import { toRequestContent } from './content.ts'
import type { Executing, FileObject, KindDefinition, Reading } from './kind.ts'
import type { Content } from './members.ts'

/** IACAs. The signing process creates the key and the certificate of a managed one after the transaction. */
export const iacaKind: KindDefinition = {
  name: 'iaca',
  path: '/v2/credentials/mobile/iacas',
  nameOf: (view) => membersOf(view).commonName,
  // Dates would differ in each tenant. An IACA is valid from its creation for the default period.
  serverManaged: ['notBefore', 'notAfter'],
  defaults: { active: true },
  provisionsKeys: { areCreated: ({ certificatePem }) => certificatePem !== undefined },
  membersOf,
  override: ({ read }) => ({
    async read(reading, ownerId) {
      // The list is read later: an IACA whose key is created between both reads is in it.
      const withoutKeys = await readWithoutKeys(reading)
      const listed = await read(reading, ownerId)
      const ids = new Set(listed.map(({ id }) => id))
      return [...listed, ...withoutKeys.filter(({ id }) => !ids.has(id))]
    },
    create,
  }),
}

/** An external IACA is described by its certificate. */
function membersOf({ id, active, isManaged, certificatePem, certificateData }: Content): Content {
  if (isManaged !== true) return { id, active, certificatePem }
  const { commonName, country, stateOrProvinceName } = Object(certificateData)
  return { id, active, commonName, country, ...(stateOrProvinceName !== undefined && { stateOrProvinceName }) }
}

/** Reads the IACAs that files made and whose keys do not exist yet. */
async function readWithoutKeys({ db, tenantId, managed }: Reading): Promise<Content[]> {
  const views: Content[] = []
  for (const { objectId } of managed.filter(({ kind }) => kind === 'iaca')) {
    const row = await findCertificateRow(db, tenantId, objectId)
    if (row?.kind !== 'iaca' || row.certificate !== null) continue
    views.push({ id: row.id, active: row.isActive, isManaged: row.isManaged, certificateData: row.subject })
  }
  return views
}

/** Creates an IACA, and adds the job that creates its key. */
async function create({ deps, tenantId, change, ids }: Executing, file: FileObject): Promise<string> {
  const body = NewIaca.parse(toRequestContent(file, ids))
  const { id, isManaged } = await insertAuthority(deps, (work) => change(work), { tenantId, kind: 'iaca', body })
  if (!isManaged) return id
  const payload = { tenantId, certificateId: id }
  await deps.db.tx((tx) => addToOutbox(tx, 'makeCertificate', [{ payload }], deps.clock.now()))
  deps.bus.poke()
  return id
}
