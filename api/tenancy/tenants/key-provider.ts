import { z } from 'zod'
import { keyProviderPattern } from '../../../shared/domain/identifiers/key-policy.ts'
import { described, named } from '../../http/fields.ts'

export const KeyProviderName = named(
  'KeyProviderName',
  '`software`, `pkcs11`, or `remote:` and the name of a remote signer. The signing process must have the provider',
  described(
    z.string().regex(keyProviderPattern, 'Must be software, pkcs11 or remote:<name>'),
    'A key provider',
    'software',
  ),
)
