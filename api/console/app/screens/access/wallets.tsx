import { api, ask, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { words } from '../../kit/texts.ts'
import { Collection } from './collection.tsx'
import { accessTexts, walletWords } from './texts.ts'
import { TryAttestation } from './try-attestation.tsx'

type Wallet = Schemas['OAuthClient']

const fields: readonly Field[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'redirectUris', label: accessTexts.redirectUris, kind: 'lines', required: true, rows: 2 },
  { name: 'dpopRequired', label: accessTexts.dpop, kind: 'tick' },
  { name: 'attestation.required', label: accessTexts.attested, kind: 'tick' },
  { name: 'attestation.dpopRequired', label: accessTexts.attestedDpop, kind: 'tick' },
  { name: 'attestation.rootCertificates', label: accessTexts.roots, hint: accessTexts.rootsHint, kind: 'pem' },
]
const clientId: Field = { name: 'clientId', label: accessTexts.clientId, hint: accessTexts.madeUp }

/** Wallets that are known one by one. */
export function Wallets() {
  return (
    <Collection<Wallet>
      texts={walletWords}
      list={(query) => ask(api.GET('/v1/openid/clients', { params: { query } }))}
      idOf={({ id }) => id}
      columns={[
        { head: words.name, cell: ({ name }) => name },
        { head: accessTexts.clientId, cell: (row) => <Id value={row.clientId} /> },
        { head: accessTexts.redirectUris, cell: ({ redirectUris }) => redirectUris.join(' ') },
        { head: accessTexts.attested, cell: ({ attestation }) => say(attestation.required ? words.yes : words.no) },
      ]}
      form={(wallet, end) => <WalletForm wallet={wallet} end={end} />}
      actions={({ clientId, name }) => <TryAttestation clientId={clientId} name={name} />}
      deletion={{
        word: ({ name }) => name,
        act: ({ id }) => ask(api.DELETE('/v1/openid/clients/{id}', { params: { path: { id } } })),
      }}
    />
  )
}

function WalletForm({ wallet, end }: { wallet: Wallet | undefined; end: () => void }) {
  const { rootCertificates = [], ...attestation } = wallet?.attestation ?? {}
  const start = wallet && { ...wallet, attestation: { ...attestation, rootCertificates: rootCertificates.join('\n') } }
  // Boundary: the fields make what the operations take, and these say where they do not.
  const save = (body: Schemas['OAuthClientRequest']) =>
    wallet
      ? ask(api.PUT('/v1/openid/clients/{id}', { params: { path: { id: wallet.id } }, body }))
      : ask(api.POST('/v1/openid/clients', { body }))
  return (
    <Form
      fields={wallet ? fields : [...fields.slice(0, 1), clientId, ...fields.slice(1)]}
      start={start}
      action={say(wallet ? words.save : words.create)}
      submit={(body) => save(withRoots(body) as Schemas['OAuthClientRequest'])}
      onDone={end}
      onCancel={end}
    />
  )
}

/** Certificates that were pasted one after another, each by itself. */
function withRoots(body: Record<string, unknown>): unknown {
  const { attestation = {} } = body as { attestation?: { rootCertificates?: string } }
  const pasted = attestation.rootCertificates ?? ''
  const certificates = pasted.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g) ?? []
  // What is no certificate is sent as it is: the service says what is wrong with it.
  const rootCertificates = certificates.length > 0 || pasted === '' ? certificates : [pasted]
  return { ...body, attestation: { ...attestation, rootCertificates } }
}
