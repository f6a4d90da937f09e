import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { NameOrId } from '../../kit/named.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { ShortTime } from '../../kit/when.tsx'
import { accessTexts, walletProviderTexts } from './texts.ts'
import { TryAttestation } from './try-attestation.tsx'

type Provider = Schemas['WalletProvider']

const fields: readonly Field[] = [
  { name: 'certificatePem', label: accessTexts.certificate, kind: 'pem', required: true, rows: 8 },
]

/** The wallet providers whose wallets are all admitted. */
export function WalletProviders() {
  return (
    <Collection<Provider>
      calls={{ create: 'createWalletProvider', remove: 'deleteWalletProvider' }}
      texts={walletProviderTexts}
      list={(query) => callApi(api.GET('/v1/openid/wallet-providers', { params: { query } }))}
      idOf={({ id }) => id}
      path="/v1/openid/wallet-providers"
      columns={[
        {
          head: commonTexts.name,
          cell: ({ id, certificateData: { commonName, country } }) => (
            <>
              <NameOrId name={commonName} id={id} /> <small>{country}</small>
            </>
          ),
        },
        { head: accessTexts.validUntil, cell: ({ certificateData }) => <ShortTime at={certificateData.notAfter} /> },
      ]}
      tools={<TryAttestation />}
      form={(_, end) => (
        <Form
          calls="createWalletProvider"
          fields={fields}
          action={say(commonTexts.create)}
          submit={(body: Schemas['WalletProviderRequest']) =>
            callApi(api.POST('/v1/openid/wallet-providers', { body }))
          }
          onDone={end}
          onCancel={end}
        />
      )}
      deletion={{
        word: ({ id, certificateData: { commonName } }) => commonName ?? id,
        act: ({ id }) => callApi(api.DELETE('/v1/openid/wallet-providers/{id}', { params: { path: { id } } })),
      }}
    />
  )
}
