import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { uploadForm } from '../../kit/upload.ts'
import type { Kind } from './kinds.ts'
import { type Options, rowsOfCredential, rowsOfPresentation, rowsOfSdJwt, type Verified } from './stages.ts'

/** The body that the fields of the form build. */
export interface Typed extends Options {
  payload: string
  trustedIssuers?: string[]
  roots?: string
  nonce?: string
  audience?: string
  challenge?: string
  domain?: string
}

/** Verifies a pasted or scanned text. */
export function verifyText(kind: Kind, typed: Typed): Promise<Answered<Verified>> {
  if (kind === 'sd-jwt') return verifySdJwt(typed)
  if (kind === 'presentation') return verifyPresentation(typed)
  if (kind === 'web-semantic') return verifyWeb(typed)
  return kind === 'compact' ? verifyCompact(typed) : verifySemantic(typed)
}

/** Verifies a picture of a QR code. The service reads it. The kind is known when the service has read it. */
export async function verifyPicture(file: File, typed: Typed): Promise<Answered<Verified>> {
  const upload = <Data>(kind: Kind) =>
    uploadForm<Data>(`/v2/credentials/${kind}/verify`, formOf(file, typed), () => undefined)
  const compact = await upload<Schemas['CompactVerification']>('compact')
  if (compact.problem) return compact
  const isOther = compact.data.error?.type === 'MalformedCredential' && compact.data.decoded !== undefined
  if (!isOther) return { data: ofCompact(compact.data, typed) }
  return mapped(await upload<Schemas['CompactSemanticVerification']>('compact-semantic'), (data) =>
    ofSemantic(data, typed),
  )
}

function formOf(file: File, { assertValidFrom, assertValidUntil, checkRevocation, trustedIssuers }: Typed): FormData {
  const form = new FormData()
  const flags = { assertValidFrom, assertValidUntil, checkRevocation }
  for (const [name, value] of Object.entries(flags)) form.append(name, String(value))
  if (trustedIssuers) form.append('trustedIssuers', JSON.stringify(trustedIssuers))
  form.append('file', file)
  return form
}

const cwtBody = ({ payload, assertValidFrom, assertValidUntil, checkRevocation, trustedIssuers }: Typed) => ({
  ...{ payload: payload.trim(), assertValidFrom, assertValidUntil, checkRevocation },
  ...(trustedIssuers && { trustedIssuers }),
})

async function verifyCompact(typed: Typed): Promise<Answered<Verified>> {
  const request = api.POST('/v2/credentials/compact/verify', { body: cwtBody(typed) })
  return mapped(await callApi(request), (data) => ofCompact(data, typed))
}

function ofCompact({ verified, error, decoded }: Schemas['CompactVerification'], options: Options): Verified {
  const checks = rowsOfCredential(error && { code: error.type, message: error.message }, options)
  return { verified, checks, content: decoded }
}

async function verifySemantic(typed: Typed): Promise<Answered<Verified>> {
  const request = api.POST('/v2/credentials/compact-semantic/verify', { body: cwtBody(typed) })
  return mapped(await callApi(request), (data) => ofSemantic(data, typed))
}

function ofSemantic({ verified, reason, decoded }: Schemas['CompactSemanticVerification'], options: Options): Verified {
  const [failure] = reason
  const checks = rowsOfCredential(failure && { code: failure.type, message: failure.msg }, options)
  return { verified, checks, content: decoded }
}

async function verifyWeb(typed: Typed): Promise<Answered<Verified>> {
  const { payload, assertValidFrom, assertValidUntil, checkRevocation } = typed
  const content: Record<string, unknown> = JSON.parse(payload)
  const body = { payload: content, assertValidFrom, assertValidUntil, checkRevocation }
  const answered = await callApi(api.POST('/v2/credentials/web-semantic/verify', { body }))
  return mapped(answered, ({ verified, reason }) => {
    const checks = rowsOfCredential(reason && { code: reason.type, message: reason.message }, typed)
    return { verified, checks, content }
  })
}

async function verifySdJwt(typed: Typed): Promise<Answered<Verified>> {
  const { payload, assertValidFrom, assertValidUntil, checkRevocation, roots, nonce, audience } = typed
  const isBound = nonce !== undefined && audience !== undefined
  const body = {
    ...{ payload: payload.trim(), assertValidFrom, assertValidUntil, checkRevocation },
    ...(roots && { trustedIssuers: roots.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g) ?? [roots] }),
    ...(isBound && { keyBinding: { nonce, audience, maxAge: 86_400 } }),
  }
  const answered = await callApi(api.POST('/v2/credentials/sd-jwt/verify', { body }))
  return mapped(answered, ({ verified, claims, failures }) => {
    const failed = failures.map(({ check, ...rest }) => ({ code: check, ...rest }))
    return {
      verified,
      checks: rowsOfSdJwt(failed, { ...typed, isRead: claims !== undefined, isBound }),
      content: claims,
    }
  })
}

async function verifyPresentation({ payload, challenge = '', domain = '' }: Typed): Promise<Answered<Verified>> {
  const presentation: Record<string, unknown> = JSON.parse(payload)
  const body = { presentation, challenge, domain }
  const request = api.POST('/v2/credentials/web-semantic/presentations/verify', { body })
  return mapped(await callApi(request), ({ verified, reason }) => {
    const checks = rowsOfPresentation(reason && { code: reason.type, ...reason })
    return { verified, checks, content: presentation }
  })
}

function mapped<From, To>({ data, problem }: Answered<From>, change: (data: From) => To): Answered<To> {
  return problem ? { problem } : { data: change(data) }
}
