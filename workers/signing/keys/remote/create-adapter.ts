import type { KeySigner } from '../../../../shared/settings/key-signers.ts'
import type { AdapterContext, SignerAdapter } from './adapter.ts'
import { createAwsKmsAdapter } from './adapters/aws-kms.ts'
import { createAzureKeyVaultAdapter } from './adapters/azure-key-vault.ts'
import { createGoogleKmsAdapter } from './adapters/google-kms.ts'
import { createRemoteSignerAdapter } from './adapters/remote-signer.ts'
import { createVaultTransitAdapter } from './adapters/vault-transit.ts'

/** Creates the adapter of a signer of the settings. */
export function createAdapter(signer: KeySigner, context: AdapterContext): SignerAdapter {
  switch (signer.adapter) {
    case 'remote-signer':
      return createRemoteSignerAdapter(signer, context)
    case 'aws-kms':
      return createAwsKmsAdapter(signer, context)
    case 'google-kms':
      return createGoogleKmsAdapter(signer, context)
    case 'azure-key-vault':
      return createAzureKeyVaultAdapter(signer, context)
    case 'vault-transit':
      return createVaultTransitAdapter(signer, context)
  }
}
