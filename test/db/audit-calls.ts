import type { UserTerms } from '../../db/repos/issuance/users/user-terms.ts'
import { newId } from '../../shared/ids.ts'

type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

const checkpoint = { audit_checkpoints: { size: 1, note: 'checkpoint' } }
const key = {
  purpose: 'audit',
  publicJwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
}

/** The queries about the audit and its checkpoints, as `tenants-apart.test.ts` calls them. */
export function auditCalls({ id, at, terms }: { id: string; at: Date; terms: UserTerms }): Calls {
  const erasure = { userId: id, requestId: id, receipt: { id: newId(), subject: id } }
  const managed = { kind: 'webhook', parentId: '', objectId: id }
  return {
    endAudit: [[]],
    eraseWithReceipt: [[erasure, { at, terms, record: () => undefined }]],
    findAuditOfOthers: [
      [{ after: 0, types: ['USER_CREATE_AUDIT'], requestId: newId() }, 10],
      { audit_events: { number: 1, type: 'USER_CREATE_AUDIT' } },
    ],
    findAuditIds: [[id], { audit_objects: { objectId: id } }],
    findLastStatusChange: [[id], { audit_objects: { objectId: id, auditId: id }, audit_events: { id } }],
    findAuditKeys: [[], { keys: key }],
    findAuditLeaf: [[0]],
    findAuditSize: [[], { audit_heads: { number: 1 } }],
    findCheckpoint: [['last'], checkpoint],
    findCheckpointsBetween: [[0, 1], checkpoint],
    findErasure: [[id]],
    findErasureOfSubject: [['subject', at], { erasures: { subject: 'subject', createdAt: at } }],
    findManagedObject: [[managed], { managed_objects: managed }],
    findManagedChild: [[[managed.kind], id], { managed_objects: { ...managed, parentId: id } }],
    findManagedObjects: [[10]],
    listManagedObjects: [[10]],
    forgetManagedObjects: [[[id]]],
    findErasureAudit: [[id], { audit_events: { type: 'USER_DELETE_AUDIT' } }],
    findSubjects: [[[id]]],
    listAuditEvents: [[{}, 10]],
    listErasures: [[{ limit: 10 }]],
    storeReceipt: [[id, { receipt: 'receipt', auditNumber: 1 }], { erasures: { receipt: null } }],
    readAuditTile: [[1, 0], { audit_subtrees: { level: 1, position: 0 } }],
  }
}
