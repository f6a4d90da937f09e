import { hold } from '../../../db/hold.ts'
import {
  type EvidenceRow,
  findEvidence,
  listEvidence,
  removeEvidence,
  updateEvidence,
} from '../../../db/repos/ecosystems/evidence.ts'
import { participantEvidence } from '../../../db/tables/ecosystems/evidence.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import type { Caller } from '../../access/subjects.ts'
import { presentUploader, uploaderOf } from '../../access/uploader.ts'
import { removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { ofList, type Versioned } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { idOf } from '../../http/fields.ts'
import { multipart } from '../../http/multipart/multipart.ts'
import type { Upload } from '../../http/multipart/read-multipart.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { defineRoute } from '../../http/route.ts'
import { providerAccess, readerAccess } from '../ecosystems/access.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import { getParticipant, ParticipantParams } from '../participants/get-participant.ts'
import { answerEvidence } from './download.ts'
import { EvidenceUpdate, EvidenceView, FileName, NewEvidence } from './schemas.ts'
import { type EvidenceUpload, uploadEvidence } from './upload.ts'

const evidence: Versioned<EvidenceRow, typeof ParticipantParams> = {
  tag: 'Ecosystems',
  access: providerAccess,
  path: '/v1/ecosystems/:ecosystemId/participants/:participantId/evidence',
  within: ParticipantParams,
  id: 'evidenceId',
  events: 'ECOSYSTEM_PARTICIPANT_EVIDENCE',
  view: EvidenceView,
  hasVersions: true,
  present,
}
const OfEvidence = ParticipantParams.extend({ evidenceId: idOf('evidence') })
const read = { ...evidence, access: readerAccess }

export const evidenceRoutes = [
  defineAuditedRoute({
    operation: 'createParticipantEvidence',
    summary: 'Upload a PDF file about a participant',
    ...ofList(evidence),
    params: ParticipantParams,
    method: 'POST',
    event: 'ECOSYSTEM_PARTICIPANT_EVIDENCE_CREATE',
    consumes: multipart({ file: 'file', limitBytes: 10_000_000, isReadFirst: true }),
    body: NewEvidence,
    bodyLimitBytes: 10_000,
    status: 201,
    response: EvidenceView,
    problems: ['bad_request', 'not_found', 'conflict', 'service_unavailable'],
    async handle({
      deps,
      tenantId,
      params: { ecosystemId, participantId },
      file,
      form: describe,
      caller,
      change,
      commitAnswer,
    }) {
      await getEcosystem(deps.db.read, tenantId, ecosystemId)
      await getParticipant(deps.db.read, tenantId, ecosystemId, participantId)
      const filename = nameOf(file())
      const end = deps.uploads.begin(tenantId)
      try {
        const of = { tenantId, ecosystemId, participantId, filename, by: byOf(caller) }
        const commit: EvidenceUpload['commit'] = (tx, row) => commitAnswer(tx, present(row))
        return present(await uploadEvidence(deps, change, { ...of, stream: file().stream, describe, commit }))
      } finally {
        end()
      }
    },
  }),
  listOf(read, {
    operation: 'retrieveParticipantEvidenceList',
    summary: 'List the evidence files of a participant',
    problems: ['not_found'],
    async rows({ tenantId, params, query, deps }) {
      await getEcosystem(deps.db.read, tenantId, params.ecosystemId)
      await getParticipant(deps.db.read, tenantId, params.ecosystemId, params.participantId)
      return listEvidence(deps.db.read, tenantId, params, query)
    },
  }),
  retrieve(read, {
    operation: 'retrieveParticipantEvidence',
    summary: 'Retrieve the description of an evidence file',
    async find({ tenantId, params, id, deps }) {
      await getEcosystem(deps.db.read, tenantId, params.ecosystemId)
      await getParticipant(deps.db.read, tenantId, params.ecosystemId, params.participantId)
      return findEvidence(deps.db.read, tenantId, params, id)
    },
  }),
  defineRoute({
    operation: 'downloadParticipantEvidence',
    summary: 'Download an evidence file',
    ...ofList(read),
    path: `${evidence.path}/:evidenceId/download`,
    params: OfEvidence,
    method: 'GET',
    event: 'ECOSYSTEM_PARTICIPANT_EVIDENCE_DOWNLOAD',
    status: 200,
    representations: { media: [handlerMedia('application/pdf')], attachment: true },
    problems: ['bad_request', 'not_found'],
    async handle({ deps, tenantId, params: { evidenceId, ...subject } }) {
      await getEcosystem(deps.db.read, tenantId, subject.ecosystemId)
      await getParticipant(deps.db.read, tenantId, subject.ecosystemId, subject.participantId)
      const row = await findEvidence(deps.db.read, tenantId, subject, evidenceId)
      if (!row) throw notFound('evidenceId', evidenceId)
      return answerEvidence(deps.db.read, row)
    },
  }),
  replaceAudited(evidence, {
    operation: 'updateParticipantEvidence',
    summary: 'Update the name and the description of an evidence file',
    body: EvidenceUpdate,
    async handle({ tenantId, params: { ecosystemId, participantId }, id, body, change, requireMatch }) {
      return change(async (tx, record) => {
        const subject = { ecosystemId, participantId }
        await getEcosystem(tx, tenantId, ecosystemId)
        await getParticipant(tx, tenantId, ecosystemId, participantId)
        await hold(tx, participantEvidence, tenantId, id)
        const before = await findEvidence(tx, tenantId, subject, id)
        if (!before) throw notFound('evidenceId', id)
        await requireMatch(before)
        const { filename = before.filename, fileDescription } = body
        await updateEvidence(tx, tenantId, subject, id, { filename, fileDescription })
        const after = { ...before, filename, fileDescription }
        record(tenantId, { id, ...subject, changed: changedFieldNames(before, after) })
        return after
      })
    },
  }),
  removeAudited(evidence, {
    operation: 'deleteParticipantEvidence',
    summary: 'Delete an evidence file',
    async remove(tx, { tenantId, params: { ecosystemId, participantId }, id, deps }) {
      await getEcosystem(tx, tenantId, ecosystemId)
      await getParticipant(tx, tenantId, ecosystemId, participantId)
      return removeEvidence(tx, tenantId, { ecosystemId, participantId }, id, deps.clock.now())
    },
  }),
]

/** Returns the name of the file without folders, which some browsers send. Throws `bad_request` for an invalid name. */
function nameOf({ fileName = '' }: Upload): string {
  const name = fileName.split(/[\\/]/).at(-1)?.trim()
  const parsed = FileName.safeParse(name || 'evidence.pdf')
  if (!parsed.success) throw wrongField('file', `The file name is invalid: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

function byOf(caller: Caller): Pick<EvidenceRow, 'uploadedBy' | 'uploader'> {
  const { kind: uploader, id: uploadedBy } = uploaderOf(caller)
  return { uploadedBy, uploader }
}

function present({ id, filename, fileDescription, uploadedBy, uploader, createdAt }: EvidenceRow) {
  const by = presentUploader({ kind: uploader, id: uploadedBy })
  return { id, filename, fileDescription, uploadedBy: by, uploadedAt: createdAt.toISOString() }
}
