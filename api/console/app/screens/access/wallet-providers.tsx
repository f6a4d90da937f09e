import { api, ask, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { words } from '../../kit/texts.ts'
import { When } from '../../kit/when.tsx'
import { Collection } from './collection.tsx'
import { accessTexts, walletProviderWords } from './texts.ts'
import { TryAttestation } from './try-attestation.tsx'

type Provider = Schemas['WalletProvider']

const fields: readonly Field[] = [
  { name: 'certificatePem', label: accessTexts.certificate, kind: 'pem', required: true, rows: 8 },
]

/** Providers whose wallets are all admitted. */
export function WalletProviders() {
  return (
    <Collection<Provider>
      texts={walletProviderWords}
      list={(query) => ask(api.GET('/v1/openid/wallet-providers', { params: { query } }))}
      idOf={({ id }) => id}
      columns={[
        { head: words.name, cell: ({ certificateData: { commonName, country } }) => [commonName, country].join(' ') },
        { head: accessTexts.validUntil, cell: ({ certificateData }) => <When at={certificateData.notAfter} /> },
        { head: accessTexts.walletProviders, cell: ({ id }) => <Id value={id} /> },
      ]}
      tools={<TryAttestation />}
      isEdited={false}
      form={(_, end) => (
        <Form
          fields={fields}
          action={say(words.create)}
          submit={(body: Schemas['WalletProviderRequest']) => ask(api.POST('/v1/openid/wallet-providers', { body }))}
          onDone={end}
          onCancel={end}
        />
      )}
      deletion={{
        word: ({ id, certificateData: { commonName } }) => commonName ?? id,
        act: ({ id }) => ask(api.DELETE('/v1/openid/wallet-providers/{id}', { params: { path: { id } } })),
      }}
    />
  )
}
