import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import { approvalContext } from '../../shared/secrets/stored-contexts.ts'

/** The parts of a request that are executed after its approval. */
export interface ApprovalRequest {
  params: Record<string, string>
  query: Record<string, unknown>
  /** The body as JSON. Empty without a body. */
  body: string
  /** The version that the request replaces. */
  ifMatch?: string | undefined
  /** The name of the caller when the request was sent. */
  name: string
}

const Stored = z.object({
  params: z.record(z.string(), z.string()),
  query: z.record(z.string(), z.unknown()),
  body: z.string(),
  ifMatch: z.string().optional(),
  name: z.string(),
})

/** Returns the SHA-256 of an operation and its request, base64url. */
export function digestOf(operation: string, { params, query, body, ifMatch }: ApprovalRequest): string {
  const text = JSON.stringify([operation, params, query, body, ifMatch ?? null])
  return createHash('sha256').update(text).digest('base64url')
}

export function sealApprovalRequest(secrets: Secrets, id: string, request: ApprovalRequest): string {
  return secrets.seal(JSON.stringify(request), approvalContext('request', id))
}

export function openApprovalRequest(secrets: Secrets, id: string, sealed: string): ApprovalRequest {
  return Stored.parse(JSON.parse(secrets.open(sealed, approvalContext('request', id))))
}

export function sealApprovalAnswer(secrets: Secrets, id: string, answer: unknown): string {
  return secrets.seal(JSON.stringify(answer ?? null), approvalContext('answer', id))
}

export function openApprovalAnswer(secrets: Secrets, id: string, sealed: string): unknown {
  return JSON.parse(secrets.open(sealed, approvalContext('answer', id)))
}
