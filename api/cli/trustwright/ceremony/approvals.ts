import {
  isSignedByMinisign,
  type MinisignKey,
  readMinisignKey,
  readMinisignSignature,
} from '../../../../shared/formats/minisign.ts'
import type { ReadCeremony } from './read-ceremony.ts'

/** The signature of a listed person over the ceremony file. */
export interface Approval {
  name: string
  keyId: string
  bytes: Buffer
}

/** Returns the approval of a signature of minisign, or why it is none. */
export function readApproval(ceremony: ReadCeremony, bytes: Buffer): Approval | { fault: string } {
  const signature = readMinisignSignature(bytes.toString('utf8'))
  if (!signature) return { fault: 'It is not a signature of minisign.' }
  const { keyId } = signature
  const approver = approversOf(ceremony).find(({ key }) => key?.id === keyId)
  if (!approver?.key) return { fault: `Its key ${keyId} is not in approvals.keys of the ceremony file.` }
  if (isSignedByMinisign(ceremony.bytes, signature, approver.key)) return { name: approver.name, keyId, bytes }
  return {
    fault: `It is not a signature of ${approver.name} over this ceremony file. Ask for a signature of the file as it is.`,
  }
}

/** Returns what is missing for the number of approvals that the file requires. One person counts once. */
export function missingApprovals({ content }: ReadCeremony, approvals: readonly Approval[]): string | undefined {
  const { required } = content.approvals
  const names = [...new Set(approvals.map(({ name }) => name))]
  if (names.length >= required) return undefined
  const present = names.length === 0 ? 'There is none' : `There are those of ${names.join(', ')}`
  return `The ceremony needs the approvals of ${required} of the listed people. ${present}. Add signatures with --approval.`
}

function approversOf({ content }: ReadCeremony): { name: string; key: MinisignKey | undefined }[] {
  return content.approvals.keys.map(({ name, publicKey }) => ({ name, key: readMinisignKey(publicKey) }))
}
