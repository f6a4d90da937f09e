import { isJsonObject } from '../../../../../shared/formats/json-object.ts'
import type { KeySignerOf } from '../../../../../shared/settings/key-signers.ts'
import { type ApiAnswer, type ApiRequest, type CallApi, postJson } from '../adapter.ts'
import { textMember, wrongAnswer } from '../check-answers.ts'
import { awsKmsUrl } from '../transport.ts'

/** The operations of AWS KMS, which all are POST requests to one URL. */
export interface AwsApi {
  run(call: CallApi, operation: string, body: object, options?: RunOptions): Promise<ApiAnswer['json']>
  /** Runs an operation, and returns undefined if AWS answers with a status of `accepts`. */
  tryToRun(call: CallApi, operation: string, body: object, accepts: number[]): Promise<ApiAnswer['json'] | undefined>
  /** Lists the aliases of a filter, as name and key. */
  aliases(call: CallApi, filter: object): AsyncGenerator<{ alias: string; keyId: string }>
}

type RunOptions = Partial<Pick<ApiRequest, 'isRepeatable'>>

/** The meaning of error types that AWS answers with status 400. */
const statuses: Record<string, number> = {
  ThrottlingException: 429,
  NotFoundException: 404,
  AlreadyExistsException: 409,
  KMSInvalidStateException: 409,
  AccessDeniedException: 403,
  UnrecognizedClientException: 401,
  InvalidSignatureException: 401,
  ExpiredTokenException: 401,
}
const pageSize = 100

export function createAwsApi(signer: KeySignerOf<'aws-kms'>): AwsApi {
  const url = `${awsKmsUrl(signer)}/`

  function send(call: CallApi, operation: string, body: object, options: Partial<ApiRequest>): Promise<ApiAnswer> {
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${operation}` }
    return postJson(call, url, body, { headers, ...options })
  }

  return {
    run: async (call, operation, body, options = {}) => (await send(call, operation, body, options)).json,
    async tryToRun(call, operation, body, accepts) {
      const { status, json } = await send(call, operation, body, { accepts })
      return accepts.includes(status) ? undefined : json
    },
    async *aliases(call, filter) {
      for (let marker: string | undefined = ''; marker !== undefined; ) {
        const page = { ...filter, Limit: pageSize, ...(marker && { Marker: marker }) }
        const { json }: ApiAnswer = await send(call, 'ListAliases', page, {})
        if (!Array.isArray(json.Aliases)) throw wrongAnswer('Aliases')
        for (const each of json.Aliases.filter(isJsonObject)) {
          // Aliases of AWS itself can have no key.
          if (each.TargetKeyId) yield { alias: textMember(each, 'AliasName'), keyId: textMember(each, 'TargetKeyId') }
        }
        marker = json.Truncated === true ? textMember(json, 'NextMarker') : undefined
      }
    },
  }
}

/** Returns the HTTP status that describes an answer: AWS answers most errors with 400 and a type. */
export function awsStatusOf({ status, json }: ApiAnswer): number {
  return statuses[String(json.__type).split('#').at(-1) ?? ''] ?? status
}

/** Returns the id of the key of `KeyMetadata`. */
export function keyIdOf({ KeyMetadata: metadata }: ApiAnswer['json']): string {
  return textMember(isJsonObject(metadata) ? metadata : {}, 'KeyId')
}
