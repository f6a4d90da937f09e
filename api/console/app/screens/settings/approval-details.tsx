import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { DialogButton } from '../../kit/dialog-button.tsx'
import { Facts } from '../../kit/elements.tsx'
import { isRecord } from '../../kit/form-values.ts'
import { say, type Text, verbatim } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { certificateKinds } from '../../kit/names.ts'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { numberText, When } from '../../kit/when.tsx'
import { oneTexts } from '../bulk/bulk-texts.ts'
import { listTexts } from '../bulk/list-texts.ts'
import { certificateTexts } from '../certificates/texts.ts'
import { revocationTexts } from '../credentials/revocation-texts.ts'
import { ConfigurationNames } from '../offers/configuration-names.tsx'
import { ruleTexts } from './rule-texts.ts'
import { approvalTexts as t } from './texts.ts'

type Approval = Schemas['Approval']
type Details = Approval['details']
type Fact = readonly [Text, ComponentChildren]

/** A button with the name of the operation, which opens its details: each value in a row, with the names of objects and people. */
export function ApprovalDetails({ of, name }: { of: Approval; name: string }) {
  const facts = of.kind === 'settings' ? ruleFacts(of.details) : factsOf(of.details)
  return (
    <DialogButton label={name} title={name} isLink>
      {() => (
        <Facts
          of={[
            [t.objects, numberText(of.objects)],
            ...facts,
            [t.digest, <Id key="digest" value={of.digest} />],
            [t.askedBy, <Person key="asked" of={of.askedBy} />],
            ...(of.decidedBy ? [[t.decidedBy, <Person key="decided" of={of.decidedBy} />] as const] : []),
          ]}
        />
      )}
    </DialogButton>
  )
}

export function Person({ of: { clientId, managementUserId = '' } }: { of: Approval['askedBy'] }) {
  return clientId ? <Named kind="client" id={clientId} /> : <Id value={managementUserId} />
}

/** The members of the details, and those of the filter of a status change. A member that this console does not know has its own name. */
function factsOf({ filter, ...details }: Details): Fact[] {
  const all = { ...details, ...(isRecord(filter) ? filter : {}) }
  return Object.entries(all).flatMap(([name, value]): Fact[] => {
    const present = Object.hasOwn(presenters, name) ? presenters[name] : undefined
    if (!present) return [[verbatim(name), typeof value === 'string' ? value : JSON.stringify(value)]]
    return present(value, all)
  })
}

const presenters: Readonly<Record<string, (value: unknown, details: Details) => Fact[]>> = {
  isRevoked: (value) => [
    [revocationTexts.change, say(value === true ? revocationTexts.revoke : revocationTexts.restore)],
  ],
  // The number is that of the objects.
  credentials: () => [],
  configurationId: (value) => [
    [revocationTexts.configuration, <Named key="configuration" kind="configuration" id={String(value)} />],
  ],
  userId: (value) => [[revocationTexts.user, <Named key="user" kind="user" id={String(value)} />]],
  signerId: (value) => [[revocationTexts.signer, <Id key="signer" value={String(value)} />]],
  issuedFrom: (value) => [[revocationTexts.from, <When key="from" at={String(value)} />]],
  issuedTo: (value) => [[revocationTexts.until, <When key="until" at={String(value)} />]],
  bulkIssuanceId: (value) => [
    [oneTexts.file, <Id key="bulk" value={String(value)} href={to(`/bulk/${String(value)}`)} />],
  ],
  mode: (value) => [[listTexts.mode, say(value === 'links' ? listTexts.links : listTexts.sign)]],
  total: (value) => [[oneTexts.total, numberText(Number(value))]],
  // The number of valid rows is that of the objects.
  valid: () => [],
  configurationIds: (value) => [
    [oneTexts.configuration, <ConfigurationNames key="names" ids={Array.isArray(value) ? value.map(String) : []} />],
  ],
  commonName: (value) => [[certificateTexts.commonName, String(value)]],
  deletions: (value) => [[t.deletions, <Deletions key="deletions" of={Array.isArray(value) ? value : []} />]],
  changes: (value) => [[t.allChanges, numberText(Number(value))]],
  planDigest: (value) => [[t.planDigest, <Id key="plan" value={String(value)} />]],
  kind: () => [],
  id: (value, { kind }) => {
    const screen = certificateKinds.find((each) => each === kind)
    const href = screen && to(`/certificates/${screen}/${String(value)}`)
    return [[commonTexts.id, <Id key="id" value={String(value)} href={href} />]]
  },
}

/** An object that an apply of configuration files deletes (api/tenant-files/approval.ts). */
interface Deletion {
  op: string
  kind: string
  path: string
}

const ops: Readonly<Record<string, Text>> = { delete: t.delete, replace: t.replace, update: t.update }

function Deletions({ of }: { of: readonly Deletion[] }) {
  return (
    <ul class="deletions">
      {of.map(({ op, kind, path }) => (
        <li key={path}>
          <code>{path}</code>{' '}
          <span class="soft">
            {kind}
            {ops[op] && `, ${say(ops[op])}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The rules that change, each with its value before and after. */
function ruleFacts({ before, after }: Details): Fact[] {
  const [old, next] = [before, after].map((rules) => (isRecord(rules) ? rules : {}))
  return Object.entries(ruleTexts).flatMap(([name, label]): Fact[] => {
    const [from, to] = [old?.[name], next?.[name]].map((value) => (value === undefined ? say(t.noRule) : String(value)))
    return from === to ? [] : [[label, `${from} → ${to}`]]
  })
}
