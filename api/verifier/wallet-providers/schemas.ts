import { z } from 'zod'
import { AppUrl, described, idOf, Name, named } from '../../http/fields.ts'

const fields = {
  name: described(Name, 'The name of the wallet. People read it', 'Campus wallet'),
  openid4vpConfiguration: named(
    'WalletOpenid4vp',
    'Requests over OpenID4VP',
    z.object({
      authorizationEndpoint: described(
        AppUrl,
        'Where the wallet receives requests, in the query: an `https:` address or a scheme, such as `haip-vp://`',
        'https://wallet.example.org/present',
      ),
    }),
  ),
}

export const VerifierWalletProvider = z.object(fields)

export const VerifierWalletProviderView = z.object({ id: idOf('wallet provider of a verifier'), ...fields })
