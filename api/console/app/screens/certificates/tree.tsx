import { api, callApi } from '../../kit/api.ts'
import { type Span, Spans } from '../../kit/charts/spans.tsx'
import { chartTexts } from '../../kit/charts/texts.ts'
import { Badge, Section } from '../../kit/elements.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import type { Field } from '../../kit/form-values.ts'
import { KeyPlace } from '../../kit/key-place.tsx'
import { say } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { TimeLeft } from '../../kit/time-left.tsx'
import { to } from '../../kit/url-state.ts'
import { type Reading, useRead } from '../../kit/use-read.ts'
import { type Authority, listAuthorities, type Signer, type SignerKind, signerKinds, signers } from './kinds.ts'
import { NewSigner } from './new-signer.tsx'
import { State } from './state.tsx'
import './certificates.css'
import { certificateTexts } from './texts.ts'

type Signers = Record<SignerKind, Reading<{ data: readonly Signer[] }>>

/** The roots, each with its signers. */
export function Tree() {
  const roots = useRead(listAuthorities, [])
  const under: Signers = {
    'document-signer': useRead(signers['document-signer'].list, []),
    'status-list-signer': useRead(signers['status-list-signer'].list, []),
    'sd-jwt-signer': useRead(signers['sd-jwt-signer'].list, []),
  }
  const reload = () => void Promise.all([roots, ...Object.values(under)].map((each) => each.reload()))
  return (
    <>
      <div class="actions">
        {mayWrite() && <NewAuthority onDone={reload} />}
        {!!roots.data?.data.length && (
          <a href="/v1/openid/iacas" target="_blank" rel="noreferrer">
            {say(certificateTexts.roots)} ↗
          </a>
        )}
      </div>
      <Shown of={roots}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{say(certificateTexts.empty)}</Empty>
          ) : (
            <>
              <Lifetimes roots={data} signers={under} />
              {data.map((root) => (
                <Root key={root.id} root={root} signers={under} onChange={reload} />
              ))}
            </>
          )
        }
      </Shown>
    </>
  )
}

export function mayWrite(): boolean {
  return can('createIaca')
}

/** The lifetimes of the certificates that are neither revoked nor expired, those of a root together. */
function Lifetimes({ roots, signers }: { roots: readonly Authority[]; signers: Signers }) {
  const spans = roots.flatMap((root) => [
    ...spansOf('iaca', [root], root),
    ...signerKinds.flatMap((kind) => spansOf(kind, ofRoot(signers[kind].data?.data ?? [], root), root)),
  ])
  if (spans.length === 0) return null
  return (
    <Section title={say(chartTexts.lifetimes)}>
      <Spans title={chartTexts.lifetimes} head={certificateTexts.certificate} spans={spans} />
    </Section>
  )
}

/** The service renews a signer only under an active root that expires later. Signers of status lists also under an inactive one. */
function spansOf(kind: 'iaca' | SignerKind, of: readonly (Authority | Signer)[], root: Authority): Span[] {
  const rootEnd = root.certificateData.notAfter
  return of.flatMap((each) => {
    const { id, certificateData: data } = each
    if (!data || Date.parse(data.notAfter) < Date.now() || ('revocationDate' in each && each.revocationDate)) return []
    const { commonName, notBefore: from, notAfter: until } = data
    const isRenewed = (root.active || kind === 'status-list-signer') && until < rootEnd
    const renewsAt = 'renewsAt' in each && isRenewed ? each.renewsAt : undefined
    return [{ key: id, name: `${say(certificateTexts[kind])}: ${commonName}`, from, until, renewsAt }]
  })
}

function ofRoot(of: readonly Signer[], root: Authority): Signer[] {
  return of.filter(({ iacaId }) => iacaId === root.id)
}

function Root({ root, signers, onChange }: { root: Authority; signers: Signers; onChange: () => void }) {
  return (
    <section class="root">
      <Line kind="iaca" of={root} />
      <p class="soft">
        {!root.isManaged && <Badge mood="quiet">{say(certificateTexts.unmanaged)}</Badge>}
        {root.isManaged && (
          <a href={`/v2/credentials/mobile/iacas/${root.id}/crl`} download="iaca.crl">
            {say(certificateTexts.crl)}
          </a>
        )}
      </p>
      {signerKinds.map((kind) => (
        <Shown key={kind} of={signers[kind]}>
          {({ data }) => <Branch root={root} kind={kind} of={ofRoot(data, root)} onChange={onChange} />}
        </Shown>
      ))}
    </section>
  )
}

function Branch(props: { root: Authority; kind: SignerKind; of: readonly Signer[]; onChange: () => void }) {
  const { root, kind, of, onChange } = props
  return (
    <div class="branch">
      <header class="head">
        <h3>{say(certificateTexts[kind])}</h3>
        {mayWrite() && <NewSigner kind={kind} iacaId={root.id} onDone={onChange} />}
      </header>
      {of.length === 0 && (
        <p class="soft">{say(root.isManaged ? certificateTexts.noSigners : certificateTexts.noSignersOfYours)}</p>
      )}
      {of.map((signer) => (
        <Line key={signer.id} kind={kind} of={signer} />
      ))}
    </div>
  )
}

/** One certificate in a row: name, state and remaining validity. */
function Line({ kind, of }: { kind: 'iaca' | SignerKind; of: Authority | Signer }) {
  const { id, certificateData: data } = of
  const name = (
    <a href={to(`/certificates/${kind}/${id}`)} title={id}>
      {data?.commonName ?? say(certificateTexts[kind])}
    </a>
  )
  return (
    <div class="certificate">
      {kind === 'iaca' ? <h2>{name}</h2> : name}
      <span>
        <State of={of} /> {of.provider !== 'software' && !of.keyDestroyedAt && <KeyPlace provider={of.provider} />}
      </span>
      {data && <TimeLeft from={data.notBefore} until={data.notAfter} />}
    </div>
  )
}

const fields: readonly Field[] = [
  { name: 'commonName', label: certificateTexts.commonName, required: true, placeholder: 'Transport Agency IACA' },
  { name: 'country', label: certificateTexts.country, hint: certificateTexts.countryHint, required: true },
  { name: 'stateOrProvinceName', label: certificateTexts.state },
  { name: 'notBefore', label: certificateTexts.notBefore, kind: 'date' },
  { name: 'notAfter', label: certificateTexts.notAfter, hint: certificateTexts.notAfterHint, kind: 'date' },
]

const ownFields: readonly Field[] = [
  { name: 'certificatePem', label: certificateTexts.pem, kind: 'pem', required: true },
]

function NewAuthority({ onDone }: { onDone: () => void }) {
  const create = (body: Record<string, unknown>) => callApi(api.POST('/v2/credentials/mobile/iacas', { body }))
  return (
    <div class="actions">
      <FormButton
        calls="createIaca"
        label={say(certificateTexts.newIaca)}
        isPrimary
        fields={fields}
        submit={create}
        onDone={onDone}
      >
        <p class="note">{say(certificateTexts.newIacaAdvice)}</p>
      </FormButton>
      <FormButton
        calls="createIaca"
        label={say(certificateTexts.ownIaca)}
        fields={ownFields}
        submit={create}
        onDone={onDone}
      >
        <p class="note">{say(certificateTexts.ownIacaAdvice)}</p>
      </FormButton>
    </div>
  )
}
