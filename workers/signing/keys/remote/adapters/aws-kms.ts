import { hash } from 'node:crypto'
import { publicKeyFromJwk } from '../../../../../shared/formats/jwk.ts'
import type { KeySignerOf } from '../../../../../shared/settings/key-signers.ts'
import type { AdapterContext, CallApi, SignerAdapter } from '../adapter.ts'
import { base64Member, keyOfSpki } from '../check-answers.ts'
import { type AwsApi, awsStatusOf, createAwsApi, keyIdOf } from './aws-api.ts'
import { awsAuthorization, readAwsCredentials } from './aws-signature.ts'
import { rawSignatureOf } from './der-signature.ts'

/** The shortest time that AWS offers. The key cannot sign during it, and an administrator can cancel the deletion. */
const deletedAfterDays = 7

/**
 * AWS KMS (API of 2014-11-01). It signs digests for ES256 and derives secrets for ECDH-ES. Its Ed25519 signs messages of at most 4096 bytes,
 * which credentials exceed.
 */
export function createAwsKmsAdapter(
  signer: KeySignerOf<'aws-kms'>,
  { clock, read }: Pick<AdapterContext, 'clock' | 'read'>,
): SignerAdapter {
  const { region, credentialsFile, profile, prefix } = signer
  const aws = createAwsApi(signer)
  const aliasPrefix = `alias/${prefix}/`
  return {
    supports: (algorithm) => algorithm === 'ES256' || algorithm === 'ECDH-ES',
    async authorize({ url, headers = {}, body = '' }) {
      const credentials = readAwsCredentials(await read(credentialsFile), profile)
      return awsAuthorization({ url, headers, body }, credentials, { region, service: 'kms', at: clock.now() })
    },
    statusOf: awsStatusOf,
    async generate(call, { id, label, algorithm }) {
      const alias = `${aliasPrefix}${id}`
      const earlier = await aws.tryToRun(call, 'DescribeKey', { KeyId: alias }, [404])
      const handle = earlier ? keyIdOf(earlier) : await createKey(aws, call, { alias, label, algorithm })
      const key = await aws.run(call, 'GetPublicKey', { KeyId: handle })
      return { handle, publicKey: keyOfSpki(base64Member(key, 'PublicKey')) }
    },
    async sign(call, { handle: KeyId }, bytes) {
      const digest = { Message: hash('sha256', bytes, 'base64'), MessageType: 'DIGEST' }
      const json = await aws.run(call, 'Sign', { KeyId, ...digest, SigningAlgorithm: 'ECDSA_SHA_256' })
      return rawSignatureOf(base64Member(json, 'Signature'))
    },
    async derive(call, { handle: KeyId }, peer) {
      const PublicKey = publicKeyFromJwk(peer).export({ format: 'der', type: 'spki' }).toString('base64')
      const json = await aws.run(call, 'DeriveSharedSecret', { KeyId, KeyAgreementAlgorithm: 'ECDH', PublicKey })
      return base64Member(json, 'SharedSecret')
    },
    async destroy(call, KeyId) {
      const deletion = { KeyId, PendingWindowInDays: deletedAfterDays }
      // Status 409: the deletion is scheduled already.
      if (!(await aws.tryToRun(call, 'ScheduleKeyDeletion', deletion, [404, 409]))) return
      for await (const { alias } of aws.aliases(call, { KeyId })) {
        if (alias.startsWith(aliasPrefix)) await aws.tryToRun(call, 'DeleteAlias', { AliasName: alias }, [404])
      }
    },
    async *handles(call) {
      for await (const { alias, keyId } of aws.aliases(call, {})) if (alias.startsWith(aliasPrefix)) yield keyId
    },
    async check(call) {
      await aws.run(call, 'ListAliases', { Limit: 1 })
    },
  }
}

interface NewKey {
  alias: string
  label: string
  algorithm: string
}

async function createKey(aws: AwsApi, call: CallApi, { alias, label, algorithm }: NewKey): Promise<string> {
  const KeyUsage = algorithm === 'ES256' ? 'SIGN_VERIFY' : 'KEY_AGREEMENT'
  const description = { KeySpec: 'ECC_NIST_P256', KeyUsage, Description: label }
  // A repeated call would make a second key.
  const keyId = keyIdOf(await aws.run(call, 'CreateKey', description, { isRepeatable: false }))
  // Status 409: an earlier attempt has made the alias.
  await aws.tryToRun(call, 'CreateAlias', { AliasName: alias, TargetKeyId: keyId }, [409])
  return keyId
}
